import type { AccessCode } from '../../../contract/access/access.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'

export interface LookupRequest {
  db: Db
  caller: Caller
}

export interface LookupMatch {
  key: string
  description: string
}

/** A list of values to choose from. */
export interface Lookup {
  /** The caller needs one of these in addition to `lookup.read`. */
  access?: readonly AccessCode[]
  /** Says how custom values extend the built-in ones. */
  extensible?: LookupExtension
  /** True if only its values may be stored; otherwise they are suggestions. */
  closed: boolean
  /** Short enough to list in full. */
  short: boolean
  /** The best matches for a text, at most 50. An empty text lists all in order. */
  search(request: LookupRequest, text: string, given: readonly (string | null)[]): Promise<LookupMatch[]>
  find(request: LookupRequest, key: string): Promise<LookupMatch | undefined>
}

export interface LookupExtension {
  /** All built-in values for the arguments, in their order. */
  list(language: Language, given: readonly (string | null)[]): readonly LookupMatch[]
  /** True if a custom value may replace the built-in one of its key; otherwise such a key is refused. */
  replaces: boolean
}

/** A value of a list that is the same for every caller. */
export interface ListedValue extends LookupMatch {
  /** The arguments for which it is listed; undefined for any. */
  under?: readonly string[]
}

export type ListIn = (language: Language) => readonly ListedValue[]
