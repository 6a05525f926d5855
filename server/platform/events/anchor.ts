/**
 * Anchors the audit trail outside the database. A node signs the newest seal every ten seconds. Each node appends every
 * signed head to its own anchor file, so that several nodes are several witnesses. Erasures are appended the same way.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Sql } from '../database/driver/pool.ts'
import type { Settings } from '../config.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import {
  anchorFile,
  appendLines,
  erasureFile,
  readAnchorLines,
  type AnchorLine,
  type ErasureLine,
  type HeadLine,
  type KeyLine,
} from './anchor-file.ts'
import { isSignedBy, loadSealKeys, signStatement, type SealKey } from './seal-key.ts'

export const headParts = (seal: number, hash: string) => [seal, hash]
export const keyParts = (key: string, publicKey: string) => [key, publicKey]
export const erasureParts = ({ erasure, debtor, kinds, at }: Omit<ErasureLine, 'key' | 'signature'>) => [
  erasure,
  debtor,
  kinds,
  at,
]

/** Held while a node adds a key or signs a head. */
const signLock = 7_240_003

export interface Erasure {
  id: string
  debtorId: string
  kinds: number[]
  erasedAt: string
}

export interface RecordedErasures {
  erasures: Erasure[]
  /** Lines without a valid signature. */
  distrusted: number
}

interface StoredHead {
  seal: number
  hash: Buffer
  keyId: string
  signature: Buffer
  signedAt: string
}

interface StoredKey {
  keyId: string
  publicKey: Buffer
  handedOverBy: string | null
  signature: Buffer | null
  addedAt: string
}

/** What this node's files already have. */
interface Written {
  keys: Map<string, Buffer>
  head: { seal: number; hash: string } | undefined
  isCarried: boolean
  erasures: Set<string>
}

/** The trail is not what was anchored, or a key signed it that nobody handed over. */
export class AnchorBroken extends Error {}

type AnchorSettings = Pick<Settings, 'FORDRA_ANCHOR' | 'FORDRA_DATA' | 'FORDRA_SEAL_KEY'>

export const anchorFolder = ({ FORDRA_ANCHOR, FORDRA_DATA }: AnchorSettings): string =>
  resolve(FORDRA_ANCHOR ?? join(FORDRA_DATA, 'anchor'))

export const openAnchor = (settings: AnchorSettings): Anchor =>
  new Anchor(anchorFolder(settings), settings.FORDRA_SEAL_KEY)

export class Anchor {
  readonly folder: string
  readonly #setting: string | undefined
  #keys: Promise<SealKey[]> | undefined
  #written: Promise<Written> | undefined
  /** When the trail was last found to be what was anchored, and appended to it; by `performance.now`. */
  anchoredAt: number | undefined
  /** One append at a time. */
  #working: Promise<unknown> = Promise.resolve()

  /** @param setting FORDRA_SEAL_KEY */
  constructor(folder: string, setting: string | undefined) {
    this.folder = folder
    this.#setting = setting
  }

  /** Reads or makes the keys. Throws when the folder cannot be used. */
  async prepare(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#loadKeys()
    })
  }

  /**
   * Signs the newest seal and appends what is new. Throws AnchorBroken when the trail is not what was anchored; what is
   * new is appended first.
   */
  anchorTrail(sql: Sql): Promise<void> {
    return this.#inTurn(async () => {
      const keys = await this.#loadKeys()
      await signHead(sql, keys)
      const written = await this.#readWritten()
      const broken = await findBroken(sql, written)
      const lines = await listNewLines(sql, written)
      await appendLines(anchorFile(this.folder), lines.trusted)
      await this.#appendErasures(await listErasures(sql))
      if (broken) throw new AnchorBroken(broken)
      if (lines.distrusted !== undefined)
        throw new AnchorBroken(
          `Seal ${lines.distrusted.seal} of the audit trail is signed by the key ${lines.distrusted.keyId}, which nobody handed over. ` +
            "Give every node the same FORDRA_SEAL_KEY. If the former key is lost, run 'fordra anchor accept-key'.",
        )
      this.anchoredAt = performance.now()
    })
  }

  /** Appends one erasure before it is acknowledged. */
  recordErasure(erasure: Erasure): Promise<void> {
    return this.#inTurn(() => this.#appendErasures([erasure]))
  }

  /** The erasures in the file whose signatures hold by the keys of the anchor. */
  async listErasures(): Promise<RecordedErasures> {
    return this.#inTurn(async () => {
      const { keys } = await this.#readWritten()
      for (const key of await this.#loadKeys()) keys.set(key.id, key.publicKey)
      return readErasures(this.folder, keys)
    })
  }

  /** Trusts a key of the trail that nobody handed over, because the former key is lost. */
  async acceptKey(sql: Sql, keyId: string): Promise<void> {
    await this.#inTurn(async () => {
      const [key] = await sql<StoredKey[]>`
        select key_id as "keyId", public_key as "publicKey", handed_over_by as "handedOverBy", signature,
          added_at as "addedAt"
        from audit_key where key_id = ${keyId}`
      if (!key) throw new Error(`The audit trail has no key ${keyId}.`)
      const line = { ...keyLine(key), at: new Date().toISOString() }
      await appendLines(anchorFile(this.folder), [line])
      this.#written = undefined
    })
  }

  /** Whether this anchor has a head of the trail. */
  async knowsHead({ seal, hash }: { seal: number; hash: string }): Promise<boolean> {
    const { lines } = await readAnchorLines<AnchorLine>(anchorFile(this.folder))
    return lines.some((line) => line.kind === 'head' && line.seal === seal && line.hash === hash)
  }

  /**
   * Notes that the database was restored as of a moment: seals signed later may be missing from now on. An anchor that
   * has nothing yet needs no note; returns whether it took one.
   */
  async recordRestore(moment: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if ((await this.#readWritten()).keys.size === 0) return false
      const [key] = await this.#loadKeys()
      const at = new Date().toISOString()
      const signature = signStatement(key!, 'restored', [moment, at]).toString('base64')
      await appendLines(anchorFile(this.folder), [{ kind: 'restored', at, moment, key: key!.id, signature }])
      this.#written = undefined
      return true
    })
  }

  async #appendErasures(erasures: readonly Erasure[]): Promise<void> {
    const { erasures: known } = await this.#readWritten()
    const [key] = await this.#loadKeys()
    const missing = erasures.filter(({ id }) => !known.has(id))
    const lines = missing.map(({ id, debtorId, kinds, erasedAt }): ErasureLine => {
      const line = { erasure: id, debtor: debtorId, kinds, at: erasedAt }
      const signature = signStatement(key!, 'erasure', erasureParts(line)).toString('base64')
      return { ...line, key: key!.id, signature }
    })
    await appendLines(erasureFile(this.folder), lines)
    for (const { id } of missing) known.add(id)
  }

  #loadKeys(): Promise<SealKey[]> {
    this.#keys ??= (async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      return loadSealKeys(this.#setting, this.folder)
    })()
    return this.#keys.catch((error: unknown) => {
      this.#keys = undefined
      throw new Error(
        `The anchor folder ${this.folder} cannot be used: ${(error as Error).message}. Make it writable, or set FORDRA_ANCHOR.`,
        { cause: error },
      )
    })
  }

  #readWritten(): Promise<Written> {
    this.#written ??= readWritten(this.folder)
    return this.#written
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work)
    this.#working = done.catch(() => {
      // A failed append is unknown: the files are read again.
      this.#written = undefined
    })
    return done
  }
}

/** The same for a reader who has no key: signatures hold by the keys in the folder alone, and no key is made. */
export const listRecordedErasures = async (folder: string): Promise<RecordedErasures> =>
  readErasures(folder, (await readWritten(folder)).keys)

async function readErasures(folder: string, keys: ReadonlyMap<string, Buffer>): Promise<RecordedErasures> {
  const { lines, unreadable } = await readAnchorLines<ErasureLine>(erasureFile(folder))
  const trusted = lines.filter((line) => isTrusted(line, keys))
  const erasures = trusted.map(({ erasure, debtor, kinds, at }) => ({
    id: erasure,
    debtorId: debtor,
    kinds,
    erasedAt: at,
  }))
  return { erasures, distrusted: lines.length - trusted.length + unreadable }
}

function isTrusted(line: ErasureLine, keys: ReadonlyMap<string, Buffer>): boolean {
  const key = keys.get(line.key)
  return (
    key !== undefined && isSignedBy(key, Buffer.from(line.signature, 'base64'), 'erasure', erasureParts(line))
  )
}

async function readWritten(folder: string): Promise<Written> {
  const { lines } = await readAnchorLines<AnchorLine>(anchorFile(folder))
  const written: Written = { keys: new Map(), head: undefined, isCarried: false, erasures: new Set() }
  let heads: HeadLine[] = []
  for (const line of lines) {
    if (line.kind === 'key') written.keys.set(line.key, Buffer.from(line.publicKey, 'base64'))
    if (line.kind === 'carried-over') written.isCarried = true
    if (line.kind === 'head') heads.push(line)
    if (line.kind === 'restored') heads = heads.filter(({ at }) => at <= line.moment)
  }
  const last = heads.at(-1)
  if (last) written.head = { seal: last.seal, hash: last.hash }
  const erasures = await readAnchorLines<ErasureLine>(erasureFile(folder))
  for (const { erasure } of erasures.lines) written.erasures.add(erasure)
  return written
}

/** Signs the newest seal unless it is signed. One node at a time does. */
async function signHead(sql: Sql, keys: readonly SealKey[]): Promise<void> {
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
async function findBroken(sql: Sql, { head }: Written): Promise<string | undefined> {
  if (!head) return undefined
  const [seal] = await sql<{ hash: Buffer }[]>`select hash from audit_seal where number = ${head.seal}`
  if (seal?.hash.toString('hex') === head.hash) return undefined
  return (
    `The audit trail is not what was anchored: seal ${head.seal} ${seal ? 'is another one' : 'is missing'}. ` +
    "Run 'fordra verify --anchor'. After a restore by other means, run 'fordra anchor restored'."
  )
}

async function listNewLines(
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
    lines.push({
      kind: 'head',
      at: new Date().toISOString(),
      seal: head.seal,
      hash,
      key: head.keyId,
      signature: head.signature.toString('base64'),
    })
    written.head = { seal: head.seal, hash }
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

const keyLine = (key: StoredKey): KeyLine => ({
  kind: 'key',
  at: new Date(key.addedAt).toISOString(),
  key: key.keyId,
  publicKey: key.publicKey.toString('base64'),
  handedOverBy: key.handedOverBy,
  signature: key.signature?.toString('base64') ?? null,
})

async function listErasures(sql: Sql): Promise<Erasure[]> {
  return sql<Erasure[]>`
    select id, debtor_id as "debtorId", kinds, erased_at as "erasedAt" from erasure order by number`
}
