/** Secrets that the server makes for API users. */
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

export interface MadeSecret {
  clientSecret: string
  /** What is stored instead of the secret. */
  hash: string
  prefix: string
}

const prefixLength = 12

/** 32 random bytes in signs that HTTP Basic and forms do not change. */
export function makeClientSecret(): MadeSecret {
  const clientSecret = `fsec_${randomBytes(32).toString('base64url')}`
  return { clientSecret, hash: hashMadeSecret(clientSecret), prefix: clientSecret.slice(0, prefixLength) }
}

export const makeClientId = (): string => randomUUID()

/** True for a text of the form of a secret that the server made. */
export const looksMade = (text: string): boolean => /^fsec_[\w-]{43}$/.test(text)

const marker = 'sha256:'

/** A plain hash is enough: nobody guesses 256 random bits. */
export const hashMadeSecret = (secret: string) => marker + hash('sha256', secret)

/** True if a stored hash is that of a secret that the server made. */
export const isMade = (stored: string): boolean => stored.startsWith(marker)

/** Compares in constant time. */
export function matchesMade(stored: string, secret: string): boolean {
  const given = Buffer.from(hashMadeSecret(secret))
  const expected = Buffer.from(stored)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
