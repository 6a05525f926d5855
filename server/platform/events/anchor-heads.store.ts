/** Signs the newest seal of the audit trail, and tells what an anchor file does not have yet. */
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { AnchorLine, KeyLine } from './anchor-file.ts'
import { isSignedBy, signStatement, type SealKey } from './seal-key.ts'
import type { Written } from './written.ts'

export const headParts = (seal: number, hash: string) => [seal, hash]
export const keyParts = (key: string, publicKey: string) => [key, publicKey]

/** Held while a node adds a key or signs a head. */
const signLock = 7_240_003

interface StoredHead {
  seal: number
  hash: Buffer
  keyId: string
  signature: Buffer
  signedAt: string
}

export interface StoredKey {
  keyId: string
  publicKey: Buffer
  handedOverBy: string | null
  signature: Buffer | null
  addedAt: string
}

/** Signs the newest seal unless it is signed. One node at a time does. */
export async function signHead(sql: Sql, keys: readonly SealKey[]): Promise<void> {
  const [state] = await sql<{ isDue: boolean }[]>`
    select coalesce((select max(number) from audit_seal), 0) > coalesce((select max(seal) from audit_head), 0) as "isDue"`
  if (!state!.isDue) return
  await inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${signLock}) as held`
    if (!lock!.held) return
    const [seal] = await tx<{ number: number; hash: Buffer }[]>`
      select number, hash from audit_seal order by number desc limit 1`
    const [head] = await tx<{ seal: number }[]>`select max(seal) as seal from audit_head`
    if (!seal || seal.number <= (head?.seal ?? 0)) return
    const key = await chooseKey(tx, keys)
    const signature = signStatement(key, 'head', headParts(seal.number, seal.hash.toString('hex')))
    await tx`
      insert into audit_head (seal, hash, key_id, signature)
      values (${seal.number}, ${seal.hash}, ${key.id}, ${signature})`
  })
}

/**
 * The key that signs. A new first key is added, with the signature of the trail's current key where this node has that.
 * Throws when the trail has gone on to a key that this node does not have.
 */
async function chooseKey(tx: Db, keys: readonly SealKey[]): Promise<SealKey> {
  const stored = await tx<{ keyId: string }[]>`select key_id as "keyId" from audit_key order by number`
  const own = keys[0]!
  const current = stored.at(-1)?.keyId
  if (current === own.id) return own
  const former = keys.find(({ id }) => id === current)
  if (stored.some(({ keyId }) => keyId === own.id)) {
    if (former) return former
    throw new Error(
      `The audit trail is signed by the key ${current} now, which this node does not have. Add it to FORDRA_SEAL_KEY.`,
    )
  }
  const parts = keyParts(own.id, own.publicKey.toString('base64'))
  const signature = former ? signStatement(former, 'key', parts) : null
  await tx`
    insert into audit_key (number, key_id, public_key, handed_over_by, signature)
    values (${stored.length + 1}, ${own.id}, ${own.publicKey}, ${former?.id ?? null}, ${signature})`
  return own
}

/** Says how the trail differs from the last anchored head; undefined if it does not. */
export async function findBroken(sql: Sql, { head }: Written): Promise<string | undefined> {
  if (!head) return undefined
  const [seal] = await sql<{ hash: Buffer }[]>`select hash from audit_seal where number = ${head.seal}`
  if (seal?.hash.toString('hex') === head.hash) return undefined
  return (
    `The audit trail is not what was anchored: seal ${head.seal} ${seal ? 'is another one' : 'is missing'}. ` +
    "Run 'fordra verify --anchor'. After a restore by other means, run 'fordra anchor restored'."
  )
}

export async function listNewLines(
  sql: Sql,
  written: Written,
): Promise<{ trusted: AnchorLine[]; distrusted: StoredHead | undefined }> {
  const keys = await sql<StoredKey[]>`
    select key_id as "keyId", public_key as "publicKey", handed_over_by as "handedOverBy", signature,
      added_at as "addedAt"
    from audit_key order by number`
  const heads: StoredHead[] = await sql<StoredHead[]>`
    select seal, hash, key_id as "keyId", signature, signed_at as "signedAt" from audit_head
    where seal > ${written.head?.seal ?? 0} order by seal limit 10000`
  // A new anchor takes the trail as it finds it. Its newest head covers all before.
  const isNew = written.keys.size === 0
  if (isNew) heads.splice(0, heads.length, ...(await findLastHead(sql)))
  const lines: AnchorLine[] = []
  if (!written.isCarried) {
    const [former] = await sql<
      { seals: number; entries: number; head: Buffer; brokenAt: number | null; at: string }[]
    >`select seals, entries, head, broken_at as "brokenAt", carried_at as at from audit_carry_over`
    if (former) {
      const { head, at, ...rest } = former
      lines.push({
        kind: 'carried-over',
        at: new Date(at).toISOString(),
        ...rest,
        hash: head.toString('hex'),
      })
    }
    written.isCarried = former !== undefined
  }
  for (const key of keys) {
    if (written.keys.has(key.keyId) || !(isNew || isHandedOver(key, written.keys))) continue
    lines.push(keyLine(key))
    written.keys.set(key.keyId, key.publicKey)
  }
  for (const head of heads) {
    const hash = head.hash.toString('hex')
    const publicKey = written.keys.get(head.keyId)
    if (!publicKey || !isSignedBy(publicKey, head.signature, 'head', headParts(head.seal, hash)))
      return { trusted: lines, distrusted: head }
    const at = new Date().toISOString()
    lines.push({
      kind: 'head',
      at,
      seal: head.seal,
      hash,
      key: head.keyId,
      signature: head.signature.toString('base64'),
    })
    written.head = { seal: head.seal, hash }
    written.unstamped.push({ seal: head.seal, at })
  }
  return { trusted: lines, distrusted: undefined }
}

/** The newest signed head of the trail, or none. */
export const findLastHead = (db: Db): Promise<StoredHead[]> => db<StoredHead[]>`
  select seal, hash, key_id as "keyId", signature, signed_at as "signedAt" from audit_head order by seal desc limit 1`

/** Each key after the first needs the signature of one before. */
function isHandedOver(key: StoredKey, known: ReadonlyMap<string, Buffer>): boolean {
  const former = key.handedOverBy === null ? undefined : known.get(key.handedOverBy)
  const parts = keyParts(key.keyId, key.publicKey.toString('base64'))
  return former !== undefined && isSignedBy(former, key.signature!, 'key', parts)
}

export const keyLine = (key: StoredKey): KeyLine => ({
  kind: 'key',
  at: new Date(key.addedAt).toISOString(),
  key: key.keyId,
  publicKey: key.publicKey.toString('base64'),
  handedOverBy: key.handedOverBy,
  signature: key.signature?.toString('base64') ?? null,
})
