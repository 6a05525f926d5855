import type { AccessCode } from '../../../contract/access/access.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'

export interface LookupRequest {
  db: Db
  caller: Caller
}

export interface Found {
  key: string
  description: string
}

/** A list to choose from. */
export interface Lookup {
  /** Of these the caller needs one besides `lookup.read`. */
  access?: readonly AccessCode[]
  /** Values that the installation defined stand beside the built-in ones. */
  extensible?: Extensible
  /** Only its values may be stored; else they are proposals. */
  closed: boolean
  /** Short enough to be shown whole. */
  short: boolean
  /** The best matches for a text, at most 50; all in their order for an empty one. */
  search(request: LookupRequest, text: string, given: readonly (string | null)[]): Promise<Found[]>
  find(request: LookupRequest, key: string): Promise<Found | undefined>
}

export interface Extensible {
  /** All built-in values under the arguments, in their order. */
  list(language: Language, given: readonly (string | null)[]): readonly Found[]
  /** One that the installation defined takes the place of the built-in one of its key; else there is none such. */
  replaces: boolean
}

/** A value of a list that is the same for everybody. */
export interface ListedValue extends Found {
  /** The arguments under which it is listed; undefined for any. */
  under?: readonly string[]
}

export type ListIn = (language: Language) => readonly ListedValue[]
