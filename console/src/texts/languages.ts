/** The six languages. The texts of one, from `data/texts`, are loaded when it is chosen; vite.config.ts picks the areas. */
import { createInstance, type i18n as I18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Texts } from '../../../core/text/texts.ts'

export const languages = {
  en: 'English',
  sv: 'Svenska',
  no: 'Norsk',
  da: 'Dansk',
  fi: 'Suomi',
  de: 'Deutsch',
} as const
export type Language = keyof typeof languages

type KeyOf<Area extends keyof Texts> = { [A in Area]: `${A}.${keyof Texts[A] & string}` }[Area]
/** The console's own texts are found without the name of their area. */
export type TextKey = keyof Texts['console'] | KeyOf<'field' | 'form' | 'lookup' | 'refusal' | 'report'>

const files = import.meta.glob<{ default: Record<string, string> }>('../../../data/texts/*.json')
const laterFiles = import.meta.glob<{ default: Record<string, string> }>('../../../data/texts/*.json', {
  query: '?later',
})
const kept = 'fordra-language'

export const i18n: I18n = createInstance()

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/** What was chosen here before, or what the browser asks for. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...navigator.languages].map((tag) =>
    tag.slice(0, 2).replace(/^(nb|nn)$/, 'no'),
  )
  return wanted.find(isLanguage) ?? 'en'
}

export async function startTexts(): Promise<void> {
  await i18n.use(initReactI18next).init({
    fallbackLng: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    // What is on the screen is drawn again once later texts are there.
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  await changeLanguage(firstLanguage())
}

export async function changeLanguage(code: string | null | undefined): Promise<void> {
  const language = code && isLanguage(code) ? code : firstLanguage()
  if (!i18n.hasResourceBundle(language, 'translation')) {
    const { default: texts } = await files[`../../../data/texts/${language}.json`]!()
    i18n.addResourceBundle(language, 'translation', texts)
  }
  if (hasLaterTexts) await addLaterTexts(language)
  await i18n.changeLanguage(language)
  document.documentElement.lang = language === 'no' ? 'nb' : language
}

/** Whether a screen has asked for the texts that few screens show. */
let hasLaterTexts = false

/** Whether the service did not give the later texts when they were asked for. */
let areLaterTextsRefused = false

/** Loads the texts that few screens show: the names of the rules of law, and those of some screens. */
export async function loadLaterTexts(): Promise<void> {
  hasLaterTexts = true
  try {
    await addLaterTexts(i18n.language as Language)
  } catch (error) {
    areLaterTextsRefused = true
    throw error
  }
}

/** Whether the names of the rules of law are not there yet. Asks for them: `added` draws the screen again. */
export function awaitsRuleNames(): boolean {
  if (hasRuleNames(i18n.language) || areLaterTextsRefused) return false
  if (!hasLaterTexts) loadLaterTexts().catch(() => {})
  return true
}

const hasRuleNames = (language: string): boolean => i18n.exists('lookup.lawrule.DUE', { lng: language })

async function addLaterTexts(language: Language): Promise<void> {
  if (hasRuleNames(language)) return
  const { default: texts } = await laterFiles[`../../../data/texts/${language}.json`]!()
  i18n.addResources(language, 'translation', texts)
}

export const keepLanguage = (): void => localStorage.setItem(kept, i18n.language)
