import type { Plugin } from 'vite'

/** The areas of `data/texts` that the console shows; its own are found without their area's name. */
const areas = ['console', 'field', 'form', 'lookup', 'report']

/** Of a language's file, only the texts that the console uses, as one flat list. */
export const pickTexts: Plugin = {
  name: 'pick-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/data\/texts\/\w+\.json$/ },
    handler(file) {
      const texts = JSON.parse(file) as Record<string, Record<string, string>>
      const picked = areas.flatMap((area) =>
        Object.entries(texts[area]!).map(([key, text]) => [
          area === 'console' ? key : `${area}.${key}`,
          text,
        ]),
      )
      return JSON.stringify(Object.fromEntries(picked))
    },
  },
}
