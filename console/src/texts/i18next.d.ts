import 'i18next'
import type { TextKey } from './languages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Record<TextKey, string> }
    keySeparator: false
    nsSeparator: false
    interpolationPrefix: '{'
    interpolationSuffix: '}'
  }
}
