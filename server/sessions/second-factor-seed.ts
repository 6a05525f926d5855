/** Seeds of authenticator apps at rest: AES-256-GCM under FORDRA_SECRET_KEY, as they are without it. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Settings } from '../config.ts'

export interface StoredSeed {
  seed: Buffer
  /** Whether `seed` is encrypted: nonce, tag, text. */
  sealed: boolean
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyOf = ({ FORDRA_SECRET_KEY: key }: Settings) =>
  key === undefined ? undefined : Buffer.from(key, 'base64')

/** Encrypts a seed for one user, where a key is configured: in another user's row it does not open. */
export function sealSeed(settings: Settings, userId: string, seed: string): StoredSeed {
  const key = keyOf(settings)
  if (!key) return { seed: Buffer.from(seed), sealed: false }
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(seed), cipher.final()])
  return { seed: Buffer.concat([nonce, cipher.getAuthTag(), text]), sealed: true }
}

/** The seed in Base32. Throws when it was encrypted under another key than the configured one. */
export function openSeed(settings: Settings, userId: string, { seed, sealed }: StoredSeed): string {
  if (!sealed) return seed.toString()
  const key = keyOf(settings)
  if (!key)
    throw new Error('FORDRA_SECRET_KEY is not set, but seeds of authenticator apps are encrypted under it.')
  const decipher = createDecipheriv(algorithm, key, seed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(userId))
    .setAuthTag(seed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(seed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
  } catch {
    throw new Error(
      'A seed of an authenticator app does not open: FORDRA_SECRET_KEY is not the key it was encrypted under.',
    )
  }
}

/** Whether a stored seed should be written again, encrypted, since a key has been set meanwhile. */
export const needsSealing = (settings: Settings, { sealed }: StoredSeed) =>
  !sealed && keyOf(settings) !== undefined
