/** The lookups that a browser can answer: countries, languages and currencies by ISO code, and the contract's codes. */
import { genders, juridicalTypes, notificationChannels } from '../../../contract/debtors.ts'
import { userRoles } from '../../../contract/access.ts'
import { mfaTypes } from '../../../contract/users.ts'
import { cultureOf } from '../format/format.ts'
import { labelOf } from '../texts/labels.ts'
import { languages } from '../texts/languages.ts'
import type { LookupValue } from './definition.ts'

const codes: Record<string, [member: string, values: Record<number, string>]> = {
  juridicaltype: ['juridicalType', juridicalTypes],
  gender: ['gender', genders],
  conversationnotificationchannel: ['conversationNotificationChannel', notificationChannels],
  userrole: ['userRole', userRoles],
  mfatype: ['mfaType', mfaTypes],
}
/** Regions that Unicode names and ISO 3166-1 does not assign. */
const noCountries = new Set('AC CP CQ CS DD DG EA EU EZ FX IC NT SU TA TP UN XA XB YD YU ZR ZZ'.split(' '))
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const most = 50

const named = (type: 'region' | 'currency' | 'language', keys: readonly string[]): LookupValue[] => {
  const names = new Intl.DisplayNames(cultureOf(), { type, fallback: 'none' })
  return keys.flatMap((key) => {
    const text = names.of(key)
    return text === undefined ? [] : [{ key, text: `${text} (${key})` }]
  })
}

function valuesOf(lookupcode: string): LookupValue[] {
  const known = codes[lookupcode]
  if (known) {
    const [member, values] = known
    return Object.entries(values).map(([key, text]) => ({
      key,
      text: labelOf(`code.${member}.${key}`, text),
    }))
  }
  switch (lookupcode) {
    case 'country':
      return named(
        'region',
        letters
          .flatMap((first) => letters.map((second) => first + second))
          .filter((key) => !noCountries.has(key)),
      )
    case 'currency':
      return named('currency', Intl.supportedValuesOf('currency'))
    case 'language':
      return Object.entries(languages).map(([key, text]) => ({ key, text }))
    case 'culture':
      return ['sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'sv-FI', 'de-DE', 'de-AT', 'de-CH', 'en-GB', 'en-US'].map(
        (key) => ({ key, text: key }),
      )
    case 'addresstype':
      return ['LEGAL', 'POSTAL', 'VISIT', 'INVOICE'].map((key) => ({
        key,
        text: labelOf(`code.addressType.${key}`, key),
      }))
    default:
      return []
  }
}

export function findLocalValues(lookupcode: string, text: string): LookupValue[] {
  const wanted = text.toLowerCase()
  const found = valuesOf(lookupcode).filter((value) => value.text.toLowerCase().includes(wanted))
  const order = new Intl.Collator(cultureOf())
  return (codes[lookupcode] ? found : found.toSorted((a, b) => order.compare(a.text, b.text))).slice(0, most)
}

export const describeLocalValue = (lookupcode: string, key: string): string =>
  valuesOf(lookupcode).find((value) => value.key === key)?.text ?? key
