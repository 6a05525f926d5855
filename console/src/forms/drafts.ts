/**
 * Input that was typed into a form and not stored yet. It is kept in the browser, for the user and the form alone, so that
 * a closed tab, an ended session or a stopped service loses nothing.
 */
import type { Typed } from './definition.ts'

export interface Draft {
  /** When it was typed last. */
  at: string
  /** The version of the record to which it applies; absent for a new record. */
  etag?: string | undefined
  values: Record<string, Typed>
}

const prefix = 'fordra.draft.'
const keptDays = 7
const dayMs = 86_400_000
/** The oldest go first. */
const draftsMax = 20
const lengthMax = 100_000

/** Identity numbers, days of birth, accounts and secrets are never kept in the browser. */
const sensitive =
  /^(idNumber|dateOfBirth|birthDate|placeOfBirth|bankAccountNo|iban|photo|.*(password|secret|token).*)$/i
export const isKept = (code: string): boolean => !sensitive.test(code)

const ofUser = (userGuid: string) => `${prefix}${userGuid}.`
export const draftKey = (userGuid: string, form: string): string => ofUser(userGuid) + form

const listKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

export function readDraft(key: string): Draft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null
    if (found === null) return undefined
    if (Date.now() - Date.parse(found.at) < keptDays * dayMs) return found
  } catch {
    // What cannot be read is no draft.
  }
  localStorage.removeItem(key)
  return undefined
}

/** Keeps the input. A browser without room for it keeps none. */
export function keepDraft(key: string, draft: Draft): void {
  const text = JSON.stringify(draft)
  if (text.length > lengthMax) return
  try {
    localStorage.setItem(key, text)
    const byAge = listKeys()
      .map((one) => ({ one, at: readDraft(one)?.at ?? '' }))
      .toSorted((a, b) => b.at.localeCompare(a.at))
    for (const { one } of byAge.slice(draftsMax)) localStorage.removeItem(one)
  } catch {
    localStorage.removeItem(key)
  }
}

export const dropDraft = (key: string): void => localStorage.removeItem(key)

/** When somebody signs in, the drafts of others go. */
export function dropDraftsOfOthers(userGuid: string): void {
  for (const key of listKeys()) if (!key.startsWith(ofUser(userGuid))) localStorage.removeItem(key)
}

/** When a user signs out, nothing of the user stays. */
export function dropDrafts(userGuid: string): void {
  for (const key of listKeys()) if (key.startsWith(ofUser(userGuid))) localStorage.removeItem(key)
}
