/** The letter texts by language. */
import type { Language } from '../../../contract/platform/languages.ts'
import { da } from './letter-texts/da.ts'
import { de } from './letter-texts/de.ts'
import { en } from './letter-texts/en.ts'
import { fi } from './letter-texts/fi.ts'
import { no } from './letter-texts/no.ts'
import { sv } from './letter-texts/sv.ts'
import type { LetterWords } from './letter-texts/letter-words.ts'

export const letterWords: Record<Language, LetterWords> = { en, sv, no, da, fi, de }
