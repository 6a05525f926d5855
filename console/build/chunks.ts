/**
 * How modules are grouped into files: few, because each request costs a round trip, and by what is used together,
 * because nobody should load a screen that they do not open.
 */
export const chunks = {
  codeSplitting: {
    groups: [
      // Signing in and the start screen, in one request.
      { name: 'start', tags: ['$initial' as const], priority: 4 },
      { name: 'rules', test: isRule, priority: 3 },
      { name: 'components', test: /[\\/]node_modules[\\/]/, priority: 2 },
      { name: 'records', test: isShared, minShareCount: 2, priority: 1 },
      { name: screenFolder, debugName: 'screens', priority: 0 },
    ],
  },
}

/** The law of the countries, the rules that read it, and tables of currencies and countries. */
function isRule(id: string): boolean {
  const [path, library] = id.split('/node_modules/')
  if (library !== undefined) return /^(@cospired|currency-codes|i18n-iso-countries|diacritics)/.test(library)
  return /\/(data\/law|core\/\w+)\//.test(path!)
}

/** What several screens are made of. A language is loaded alone. */
function isShared(id: string): boolean {
  return !id.includes('/data/texts/')
}

/** The screens of one subject are visited together. */
function screenFolder(id: string): string | null {
  return /[\\/]console[\\/]src[\\/]screens[\\/](\w+)[\\/]/.exec(id)?.[1] ?? null
}
