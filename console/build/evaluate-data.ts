import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Evaluates files that hold only data while the console is built: those of the contract, and ours named `*.data.ts`.
 * Browsers receive the data that a screen uses, without the library and the tables that it is derived from.
 */
export const evaluateData: Plugin = {
  name: 'evaluate-data',
  enforce: 'pre',
  load: {
    filter: { id: /(\/contract\/[^?]*|\.data)\.ts$/ },
    async handler(id) {
      const exported = Object.entries((await import(pathToFileURL(id).href)) as object)
      if (!exported.every(([, value]) => isData(value))) return null
      const lines = exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      return { code: lines.join('\n'), moduleType: 'js', moduleSideEffects: false }
    },
  },
}

/** True for what JSON can hold. Functions, sets and the like leave a file as it is written. */
function isData(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isData)
  const isPlain = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  // A member without a value is left out, as in JSON.
  return isPlain && Object.values(value as object).every((member) => member === undefined || isData(member))
}
