/**
 * Phone numbers, validated by the numbering plans of libphonenumber. Its smallest metadata is enough: it has
 * each country's lengths and leading digits, but not the ranges of operators.
 */
import { parsePhoneNumberFromString, isSupportedCountry } from 'libphonenumber-js/min'

export type PhoneResult = { ok: true; phone: string } | { ok: false; message: string }

const longestInput = 40
const longest = 30
/** Digits, grouping signs, and the words for an extension. Full-width digits are converted first. */
const form = /^\+?[\d ()./-]+(?: ?(?:ext\.?|x|;ext=|#) ?\d{1,7})?$/i
/**
 * Ofcom's mobile numbers for drama. They are never assigned, so the plan lacks them, but examples use them
 * often.
 */
const reservedForDrama = /^\+447700900\d{3}$/

/**
 * Validates a phone number, international or in the national format of `countryCode` (ISO 3166-1 alpha-2),
 * and returns it in E.164 form: `070-174 06 05` in SE is `+46701740605`. An extension follows as ` ext. 12`.
 * The number must be valid in its country's plan, not just have a possible length. The ranges that SE, NO,
 * DE, FR and US reserve for fiction are valid there. Emergency and other short numbers are refused. The
 * message never contains the number, which is personal data.
 */
export function checkPhone(text: string, countryCode: string): PhoneResult {
  const cleaned = text
    .slice(0, longestInput + 1)
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const country = countryCode.toUpperCase()
  const defaultCountry = isSupportedCountry(country) ? country : undefined
  const number =
    cleaned.length <= longestInput && form.test(cleaned)
      ? parsePhoneNumberFromString(cleaned, { defaultCountry, extract: false })
      : undefined
  if (!number || !(number.isValid() || reservedForDrama.test(number.number))) return refusePhone(country)
  const phone = number.ext ? `${number.number} ext. ${number.ext}` : number.number
  return phone.length <= longest ? { ok: true, phone } : refusePhone(country)
}

function refusePhone(country: string): PhoneResult {
  const national = isSupportedCountry(country) ? `, or a national number of ${country}` : ''
  return {
    ok: false,
    message: `The text is not a valid phone number: expected an international number with + and country code, shaped like +46 70 174 06 05${national}.`,
  }
}
