/**
 * Anchors the audit trail outside the database. A node signs the newest seal every ten seconds. Each node appends every
 * signed head to its own anchor file, so that several nodes are several witnesses. Erasures are appended the same way.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Sql } from '../database/driver/pool.ts'
import type { Settings } from '../config.ts'
import {
  anchorFile,
  appendLines,
  erasureFile,
  readAnchorLines,
  type AnchorLine,
  type ErasureLine,
} from './anchor-file.ts'
import { findBroken, keyLine, listNewLines, signHead, type StoredKey } from './anchor-heads.store.ts'
import { appendUserStates, readUserStates, type RecordedUsers } from './recorded-users.ts'
import { isSignedBy, loadSealKeys, signStatement, type SealKey } from './seal-key.ts'
import { addStamp, readWritten, type Written } from './written.ts'

export const erasureParts = ({ erasure, debtor, kinds, at }: Omit<ErasureLine, 'key' | 'signature'>) => [
  erasure,
  debtor,
  kinds,
  at,
]

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

export interface Unstamped {
  seal: number
  /** Hexadecimal digits. */
  hash: string
  /** When the first of the heads without a time stamp was anchored. */
  since: string
  /** No head has a time stamp yet. */
  isFirst: boolean
}

/** The trail is not what was anchored, or a key signed it that nobody handed over. */
class AnchorBroken extends Error {}

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
  #users: Promise<RecordedUsers> | undefined
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

  /** The newest anchored head, and since when heads wait for a time stamp. Undefined where every head has one. */
  findUnstamped(): Promise<Unstamped | undefined> {
    return this.#inTurn(async () => {
      const { head, unstamped, isStamped } = await this.#readWritten()
      const first = unstamped[0]
      return head && first ? { ...head, since: first.at, isFirst: !isStamped } : undefined
    })
  }

  /** Appends the time stamp of a head. */
  recordTimeStamp({ seal, hash }: { seal: number; hash: string }, token: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
      const at = new Date().toISOString()
      const line = {
        kind: 'time-stamp',
        at,
        seal,
        hash,
        token: Buffer.from(token).toString('base64'),
      } as const
      const written = await this.#readWritten()
      await appendLines(anchorFile(this.folder), [line])
      addStamp(written, seal)
    })
  }

  /** Appends one erasure before it is acknowledged. */
  recordErasure(erasure: Erasure): Promise<void> {
    return this.#inTurn(() => this.#appendErasures([erasure]))
  }

  /** The erasures in the file whose signatures hold by the keys of the anchor. */
  async listErasures(): Promise<RecordedErasures> {
    return this.#inTurn(async () => readErasures(this.folder, await this.#trustedKeys()))
  }

  /** Appends which users may sign in, where the folder does not say so yet. */
  recordUsers(users: readonly { id: string; disabled: boolean }[]): Promise<void> {
    return this.#inTurn(async () => {
      const [key] = await this.#loadKeys()
      this.#users ??= this.#readUsers()
      await appendUserStates(this.folder, key!, (await this.#users).states, users)
    })
  }

  /** Which users may sign in, by the lines whose signatures hold. */
  readUsers(): Promise<RecordedUsers> {
    return this.#inTurn(() => this.#readUsers())
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

  #readUsers(): Promise<RecordedUsers> {
    return readUserStates(this.folder, () => this.#trustedKeys())
  }

  /** Those of the folder, and the server's own. */
  async #trustedKeys(): Promise<Map<string, Buffer>> {
    const { keys } = await this.#readWritten()
    const own = (await this.#loadKeys()).map(({ id, publicKey }) => [id, publicKey] as const)
    return new Map([...keys, ...own])
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
      this.#users = undefined
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

async function listErasures(sql: Sql): Promise<Erasure[]> {
  return sql<Erasure[]>`
    select id, debtor_id as "debtorId", kinds, erased_at as "erasedAt" from erasure order by number`
}
