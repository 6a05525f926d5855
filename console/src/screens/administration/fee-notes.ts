/** The notes of shipped fees and rates in the reader's words. Those of administrators stand as they were written. */
import { capitalise, translateLabel } from '../../texts/labels.ts'
import { feeNotes } from './fee-notes.data.ts'

export const describeNote = (note: string | null): string => {
  if (note === null) return ''
  const code = Object.hasOwn(feeNotes, note) ? feeNotes[note] : undefined
  return code === undefined ? capitalise(note) : translateLabel(`lookup.feenote.${code}`, note)
}

/** A source with a capital first letter, unless it begins with an address such as lagen.nu. */
export const describeSource = (source: string): string =>
  /^\S+\.\S/.test(source) ? source : capitalise(source)
