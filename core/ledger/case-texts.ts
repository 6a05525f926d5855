/**
 * Texts about a case's money (`data/case-texts`), one file per language with the same keys and placeholders
 * for numbers.
 */
import da from '../../data/case-texts/da.json' with { type: 'json' }
import de from '../../data/case-texts/de.json' with { type: 'json' }
import en from '../../data/case-texts/en.json' with { type: 'json' }
import fi from '../../data/case-texts/fi.json' with { type: 'json' }
import no from '../../data/case-texts/no.json' with { type: 'json' }
import sv from '../../data/case-texts/sv.json' with { type: 'json' }

export type CaseTexts = Readonly<typeof en>

export const caseTexts = { en, sv, no, da, fi, de } as const satisfies Record<string, CaseTexts>

/** The name of a fee type. A client's own type has no translation and is returned unchanged. */
export function feeWords(feeType: string, language: keyof typeof caseTexts): string {
  const texts: Readonly<Record<string, string>> = caseTexts[language]
  return texts[`fee.${feeType}`] ?? feeType
}
