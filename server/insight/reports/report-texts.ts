/** The titles of reports and their columns, and the words for the codes in them, in each language. */
import { locales, type Language } from '../../../contract/platform/languages.ts'
import type { ReportName } from '../../../contract/insight/reports.ts'
import { findText, texts } from '../../../core/text/texts.ts'

export const reportTitle = (name: ReportName, language: Language): string =>
  texts[language].report[`title.${name}`]
export const columnTitle = (code: string, language: Language): string =>
  findText(language, 'report', `column.${code}`)!

const lookups: Readonly<Record<string, string>> = { status: 'casestatus', planType: 'paymentplantype' }

/** A row's text for reading: a status and a type by name, a month (`2026-06`) as June 2026. */
export function readableText(code: string, value: string, language: Language): string {
  if (code === 'month')
    return new Intl.DateTimeFormat(locales[language], {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${value}-01`))
  return findText(language, 'lookup', `${lookups[code]}.${value}`) ?? value
}
