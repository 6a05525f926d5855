import { languages, type Language } from '../../../../contract/platform/languages.ts'

/** A description in each language, in their order: en, sv, no, da, fi, de. */
export type Descriptions = readonly [en: string, sv: string, no: string, da: string, fi: string, de: string]

/** The values of a lookup by their keys, in the order to show them. */
export type Enumeration = Readonly<Record<string, Descriptions>>

/** A description made in each language. */
export const inSixLanguages = (make: (language: Language) => string): Descriptions => [
  make('en'),
  make('sv'),
  make('no'),
  make('da'),
  make('fi'),
  make('de'),
]

export const descriptionIn = (descriptions: Descriptions, language: Language): string =>
  descriptions[languages.indexOf(language)]!
