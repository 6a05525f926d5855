import type { Plugin } from 'vite'

/** The areas of `data/texts` that the console shows; its own are found without their area's name. */
const areas = ['console', 'field', 'form', 'lookup', 'report']

/** The names of the rules of law, which few screens show, are a file of their own (`?rules`). */
const rules = 'lookup.lawrule.'

/** Of a language's file, only the texts that the console uses, as one flat list. */
export const pickTexts: Plugin = {
  name: 'pick-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/data\/texts\/\w+\.json(\?rules)?$/ },
    handler(file, id) {
      const texts = JSON.parse(file) as Record<string, Record<string, string>>
      const picked = areas.flatMap((area) =>
        Object.entries(texts[area]!).map(([key, text]) => [
          area === 'console' ? key : `${area}.${key}`,
          text,
        ]),
      )
      const isWanted = ([key]: string[]) => key!.startsWith(rules) === id.endsWith('?rules')
      const json = JSON.stringify(Object.fromEntries(picked.filter(isWanted)))
      // By its address a file with a query is no JSON.
      return id.endsWith('?rules') ? { code: `export default ${json}`, moduleType: 'js' } : json
    },
  },
}
