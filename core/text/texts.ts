/** The texts of every area in the six languages: `data/texts`, one file a language. The console loads the same files itself. */
import da from '../../data/texts/da.json' with { type: 'json' }
import de from '../../data/texts/de.json' with { type: 'json' }
import en from '../../data/texts/en.json' with { type: 'json' }
import fi from '../../data/texts/fi.json' with { type: 'json' }
import no from '../../data/texts/no.json' with { type: 'json' }
import sv from '../../data/texts/sv.json' with { type: 'json' }

export type Texts = Readonly<typeof en>
export type TextArea = keyof Texts

export const texts = { en, sv, no, da, fi, de } as const satisfies Record<string, Texts>

/** The text of the first of the keys that the area has: for keys that are put together at run time. */
export function findText(
  language: keyof typeof texts,
  area: TextArea,
  ...keys: readonly string[]
): string | undefined {
  const own: Readonly<Record<string, string>> = texts[language][area]
  const key = keys.find((one) => Object.hasOwn(own, one))
  return key === undefined ? undefined : own[key]
}
