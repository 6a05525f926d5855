/**
 * Masks of single values. They are derived by HMAC from a key that is drawn for one sandbox and not stored: equal values
 * have equal masks, so joins and the search go on working, and no mask leads back to its value.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { isIban, normaliseAccount, readBankgiro } from '../../../../core/identity/bank-account.ts'
import { luhnDigit } from '../../../../core/identity/check-digit.ts'
import { checkPhone } from '../../../../core/identity/phone.ts'
import { IdNumberMask, maskBirthDate } from './id-number-mask.ts'
import { JsonMask } from './json-mask.ts'
import type { Digest, Mask, MaskKind, MaskOptions } from './mask-kinds.ts'
import { drawShape } from './shape.ts'

const syllables = 'ba be bo da de do fa fe fo ga ge go ka ke ko la le lo ma me mo na ne no pa pe po ra re ro'
  .concat(' sa se so ta te to va ve vo')
  .split(' ')

export function createMasks(options: MaskOptions): Readonly<Record<MaskKind, Mask>> {
  const digest: Digest = (kind, value) =>
    createHmac('sha256', options.key).update(`${kind}\n`).update(value).digest()
  const hex = (kind: string, value: string, bytes: number) =>
    digest(kind, value).subarray(0, bytes).toString('hex').toUpperCase()
  const idNumbers = new IdNumberMask(digest, options)
  const words: Mask = (value) => maskWords(digest, value)
  const text: Mask = (value) => (value === '' ? '' : `Masked text ${hex('text', value, 4)}`)
  const known: Mask = (value) => (options.known.has(value) ? value : text(value))
  const shape: Mask = (value) => drawShape(digest('shape', value), value)
  const birth: Mask = (value) => maskBirthDate(digest, value.slice(0, 10)) + value.slice(10)
  const masks = {
    keep: (value) => value,
    none: () => null,
    blank: () => '',
    noElements: () => '{}',
    words,
    text,
    known,
    shape,
    birth,
    code: (value) => `M-${hex('code', value, 6)}`,
    token: (value) => `masked/${hex('token', value, 12)}`,
    email: (value) => `masked.${hex('email', value.toLowerCase(), 8).toLowerCase()}@example.org`,
    phone: (value) => maskPhone(digest, value),
    idNumber: (value) => idNumbers.mask(value),
    bank: (value) => maskAccount(digest, value),
    bytes: (value) => `\\x${digest('bytes', value).toString('hex')}`,
    first: () => firstTransaction,
    salt: () => randomUUID(),
    list: (value) =>
      `{${readElements(value)
        .map((one) => `"${words(one)!.replaceAll(/["\\]/g, '')}"`)
        .join(',')}}`,
  } satisfies Partial<Record<MaskKind, Mask>>
  const json = new JsonMask(masks, options)
  return {
    ...masks,
    json: (value) => json.document(value),
    letter: (value) => json.letter(value),
    custom: (value) => json.custom(value),
    changes: (value) => json.changes(value),
  }
}

/** Transaction numbers of the source mean nothing in another cluster. Its own begin at 3. */
const firstTransaction = '1'

/** Word by word, so that a whole name has the words of its parts. Digits become digits. */
function maskWords(digest: Digest, value: string): string {
  return value.replaceAll(/[\p{L}\p{M}]+|\p{N}+/gu, (word) => {
    const folded = word.toLowerCase()
    const bytes = digest('word', folded)
    if (/^\p{N}/u.test(word)) return drawShape(bytes, word)
    const made = [0, 1, 2, 3].map((place) => syllables[bytes[place]! % syllables.length]).join('')
    if (word === folded) return made
    return word.length > 1 && word === word.toUpperCase()
      ? made.toUpperCase()
      : made[0]!.toUpperCase() + made.slice(1)
  })
}

/** Keeps the country and the first digits, which the numbering plan needs. Null when no valid number is found. */
function maskPhone(digest: Digest, value: string): string | null {
  const kept = value.startsWith('+') ? 5 : 3
  for (let attempt = 0; attempt < 50; attempt++) {
    const tail = drawShape(digest('phone', `${attempt} ${value}`), value.slice(kept), true)
    const masked = value.slice(0, kept) + tail
    if (masked !== value && checkPhone(masked, 'SE').ok) return masked
  }
  return null
}

/** An IBAN or a bankgiro number stays a valid one. */
function maskAccount(digest: Digest, value: string): string {
  const plain = normaliseAccount(value)
  const bytes = digest('bank', plain)
  if (isIban(plain)) return withIbanDigits(plain.slice(0, 2), drawShape(bytes, plain.slice(4), true))
  const giro = readBankgiro(plain)
  const drawn = drawShape(bytes, value, giro === null)
  if (giro === null) return drawn
  const digits = drawn.replaceAll(/\D/g, '')
  return drawn.slice(0, -1) + String(luhnDigit(digits.slice(0, -1)))
}

/** The check digits of ISO 13616: modulus 97-10. */
function withIbanDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('')
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}

/** The elements of an array of texts as PostgreSQL writes it. */
const readElements = (literal: string): string[] =>
  [...literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)].map(([, quoted, bare]) =>
    quoted === undefined ? bare! : quoted.replaceAll(/\\(.)/gs, '$1'),
  )
