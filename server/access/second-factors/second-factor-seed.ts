/**
 * Stores seeds of authenticator apps encrypted by AES-256-GCM under FORDRA_SECRET_KEY; without a key, unencrypted. The
 * first of several keys encrypts. The others still decrypt, until the seed is used next and encrypted again.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Settings } from '../../platform/config.ts'

export interface StoredSeed {
  seed: Buffer
  /** True if `seed` is encrypted: nonce, tag, ciphertext. */
  sealed: boolean
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const readKeys = ({ FORDRA_SECRET_KEY: keys }: Settings): Buffer[] =>
  keys === undefined ? [] : keys.split(',').map((key) => Buffer.from(key, 'base64'))

/** Encrypts a seed for one user if a key is configured. It cannot be decrypted in another user's row. */
export function sealSeed(settings: Settings, userId: string, seed: string): StoredSeed {
  const [key] = readKeys(settings)
  if (!key) return { seed: Buffer.from(seed), sealed: false }
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(seed), cipher.final()])
  return { seed: Buffer.concat([nonce, cipher.getAuthTag(), text]), sealed: true }
}

/** The seed in Base32. Throws when no configured key decrypts it. */
export function openSeed(settings: Settings, userId: string, stored: StoredSeed): string {
  if (!stored.sealed) return stored.seed.toString()
  const keys = readKeys(settings)
  if (keys.length === 0)
    throw new Error('FORDRA_SECRET_KEY is not set, but seeds of authenticator apps are encrypted under it.')
  for (const key of keys) {
    const seed = openUnder(key, userId, stored)
    if (seed !== undefined) return seed
  }
  throw new Error('A seed of an authenticator app cannot be decrypted: no key in FORDRA_SECRET_KEY matches.')
}

/** Undefined when the seed was encrypted under another key or for another user, or was changed. */
function openUnder(key: Buffer, userId: string, { seed }: StoredSeed): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, seed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(userId))
      .setAuthTag(seed.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(seed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** True if the seed should be encrypted again, because a key was added or another key is now first. */
export function needsSealing(settings: Settings, userId: string, stored: StoredSeed): boolean {
  const [key] = readKeys(settings)
  return key !== undefined && (!stored.sealed || openUnder(key, userId, stored) === undefined)
}
