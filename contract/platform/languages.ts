/** The languages of labels, descriptions and messages. */
export const languages = ['en', 'sv', 'no', 'da', 'fi', 'de'] as const
export type Language = (typeof languages)[number]

/** A text in every language. */
export type Translations = Readonly<Record<Language, string>>

/** The language for a user: their own if supported, Norwegian for both of its forms, else English. */
export function languageOf(languageCode: string | null): Language {
  if (languageCode === 'nb' || languageCode === 'nn') return 'no'
  return languages.find((language) => language === languageCode) ?? 'en'
}
