import type { Plugin } from 'vite'

/** The areas of `data/texts` that the console shows; its own are found without their area's name. */
const areas = ['console', 'field', 'form', 'lookup', 'refusal', 'report']

/** What few screens show is a file of its own (`?later`): the names of the rules of law and of operations, refusals, and the texts of some screens. */
const later = [
  'lookup.feenote.',
  'lookup.lawrule.',
  'lookup.operation.',
  'refusal.',
  'report.',
  'setup.',
  'templates.',
  'trial.',
]

/** Of a language's file, only the texts that the console uses, as one flat list. */
export const pickTexts: Plugin = {
  name: 'pick-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/data\/texts\/\w+\.json(\?later)?$/ },
    handler(file, id) {
      const texts = JSON.parse(file) as Record<string, Record<string, string>>
      const picked = areas.flatMap((area) =>
        Object.entries(texts[area]!).map(([key, text]) => [
          area === 'console' ? key : `${area}.${key}`,
          text,
        ]),
      )
      const isLater = id.endsWith('?later')
      const isWanted = ([key]: string[]) => later.some((start) => key!.startsWith(start)) === isLater
      const json = JSON.stringify(Object.fromEntries(picked.filter(isWanted)))
      // By its address a file with a query is no JSON.
      return isLater ? { code: `export default ${json}`, moduleType: 'js' } : json
    },
  },
}
