import { userCulture } from '../../format/format.ts'

export const languageName = (code: string): string =>
  new Intl.DisplayNames(userCulture(), { type: 'language' }).of(code) ?? code
