/** The label of a field and what it means, in a language: the entity's own text, or that of every field of the code. */
import type { Language } from '../../../contract/platform/languages.ts'
import { findText } from '../../../core/text/texts.ts'

export const fieldLabel = (language: Language, entity: string, code: string): string =>
  findText(language, 'field', `${entity}.${code}`, code) ?? code

export const fieldDescription = (language: Language, entity: string, code: string): string | undefined =>
  findText(language, 'description', `${entity}.${code}`, code)
