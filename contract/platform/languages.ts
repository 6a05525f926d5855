/** The languages of labels, descriptions and messages. */
export const languages = ['en', 'sv', 'no', 'da', 'fi', 'de'] as const
export type Language = (typeof languages)[number]

/** How each writes numbers and dates. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  sv: 'sv-SE',
  no: 'nb-NO',
  da: 'da-DK',
  fi: 'fi-FI',
  de: 'de-DE',
}

/** A text in each of them. */
export type Translations = Readonly<Record<Language, string>>

/** The language for a user: their own if supported, Norwegian for both of its forms, else English. */
export function resolveLanguage(languageCode: string | null): Language {
  if (languageCode === 'nb' || languageCode === 'nn') return 'no'
  return languages.find((language) => language === languageCode) ?? 'en'
}
