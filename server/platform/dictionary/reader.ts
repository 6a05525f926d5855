/** Who reads a text: its language, and how it writes numbers and dates. */
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { findFormats, type Formats } from '../../../core/text/formats.ts'
import { invalid } from '../http/errors.ts'

export interface Reader {
  language: Language
  formats: Formats
}

/** Throws a 400 for a culture that has the form of a tag and is none, such as `en-aa-bb`. */
export function findReader(language: Language, culture?: string): Reader {
  try {
    return { language, formats: findFormats(culture ?? locales[language]) }
  } catch {
    throw invalid({ culture: ['must be a culture such as sv-SE.'] })
  }
}
