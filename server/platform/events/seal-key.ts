/**
 * The Ed25519 keys that sign heads of the audit trail's chain (RFC 8032). A key is 32 bytes in Base64: from the setting
 * FORDRA_SEAL_KEY, or from the file `seal-key` of the anchor folder, which is made when both are absent. The first key
 * signs; the others hand over to it.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface SealKey {
  /** The first 16 hexadecimal digits of the SHA-256 of the public key. */
  id: string
  /** 32 bytes. */
  publicKey: Buffer
  privateKey: KeyObject
}

/** What stands before the 32 bytes in the encodings of RFC 8410. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export const keyId = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 16)

function makeKey(seed: string): SealKey {
  const der = Buffer.concat([privatePrefix, Buffer.from(seed, 'base64')])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const publicKey = spki.subarray(publicPrefix.length)
  return { id: keyId(publicKey), publicKey, privateKey }
}

/** Keys separated by commas, as in the setting. */
const parseSealKeys = (text: string): SealKey[] => text.trim().split(',').map(makeKey)

/**
 * The keys of the setting, else of the folder's file. Makes that file, readable for its owner alone, when it is missing.
 * Throws with the reason when it has no keys.
 */
export async function loadSealKeys(setting: string | undefined, folder: string): Promise<SealKey[]> {
  if (setting !== undefined) return parseSealKeys(setting)
  const file = join(folder, 'seal-key')
  const text = (await readFile(file, 'utf8').catch(notFound)) ?? (await makeKeyFile(file))
  if (!/^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*\s*$/.test(text))
    throw new Error(
      `${file} must have keys of 32 bytes in Base64, separated by commas. Put the right ones back.`,
    )
  return parseSealKeys(text)
}

function notFound(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}

/** Of two processes that make the file at the same time, both read the one that was first. */
async function makeKeyFile(file: string): Promise<string> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}

/** The bytes that are signed: what kind of statement it is, and its parts. */
const statement = (kind: string, parts: readonly unknown[]) =>
  Buffer.from(JSON.stringify([`fordra-${kind}`, ...parts]))

export const signStatement = (key: SealKey, kind: string, parts: readonly unknown[]): Buffer =>
  sign(null, statement(kind, parts), key.privateKey)

export function isSignedBy(
  publicKey: Uint8Array,
  signature: Uint8Array,
  kind: string,
  parts: readonly unknown[],
): boolean {
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: 'der', type: 'spki' })
  return verify(null, statement(kind, parts), key, signature)
}
