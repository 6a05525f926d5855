/** The words by which files of other systems name our fields: `data/import-headings.json`. */
import headings from '../../data/import-headings.json' with { type: 'json' }

/** The words of each field. */
export type HeadingWords = Readonly<Record<string, readonly string[]>>

const { all, ...ofKinds } = headings as { all: HeadingWords } & Readonly<Record<string, HeadingWords>>

/** The words in every kind of file, and those in files of one kind, which come before them. */
export const headingWords = { all, ofKinds: ofKinds as Readonly<Record<string, HeadingWords>> }
