/** Has the anchored heads of the audit trail stamped by an authority, where the settings name one. */
import { readFileSync } from 'node:fs'
import type { Settings } from '../config.ts'
import type { Anchor } from './anchor.ts'
import { readRevocationLists } from './revocation.ts'
import { readCertificates, requestTimeStamp, type TimeStampAuthority } from './time-stamp.ts'
import type { StampRules } from './verify-time-stamps.ts'

type RuleSettings = Pick<Settings, 'FORDRA_TSA_URL' | 'FORDRA_TSA_CA' | 'FORDRA_TSA_CRL'>
type AuthoritySettings = RuleSettings & Pick<Settings, 'FORDRA_TSA_MINUTES'>

/** The certificates that the settings trust. Undefined without any; throws when the file cannot be used. */
function readTrusted({ FORDRA_TSA_CA: file }: Pick<Settings, 'FORDRA_TSA_CA'>) {
  if (file === undefined) return undefined
  try {
    return readCertificates(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(
      `FORDRA_TSA_CA: ${file} cannot be used: ${(error as Error).message} Give a PEM file with the certificates that vouch for the authority.`,
      { cause: error },
    )
  }
}

/** The revocation lists of the settings; none without a file. Throws when it cannot be used. */
function readLists({ FORDRA_TSA_CRL: file }: Pick<Settings, 'FORDRA_TSA_CRL'>) {
  if (file === undefined) return []
  try {
    return readRevocationLists(readFileSync(file))
  } catch (error) {
    throw new Error(
      `FORDRA_TSA_CRL: ${file} cannot be used: ${(error as Error).message} Give the revocation lists of the issuers, in PEM or DER.`,
      { cause: error },
    )
  }
}

/** How the time stamps of an anchor file are judged. */
export const readStampRules = (settings: RuleSettings): StampRules => ({
  trusted: readTrusted(settings),
  lists: readLists(settings),
  isStampExpected: settings.FORDRA_TSA_URL !== undefined,
})

/** Without an authority there is nothing to do. */
export function openTimeStamper(anchor: Anchor, settings: AuthoritySettings): TimeStamper | undefined {
  const { FORDRA_TSA_URL: url, FORDRA_TSA_MINUTES: minutes } = settings
  const trusted = readTrusted(settings)
  if (url === undefined || !trusted) return undefined
  readLists(settings)
  return new TimeStamper(anchor, { url, trusted, readLists: () => readLists(settings) }, minutes)
}

export class TimeStamper {
  readonly #anchor: Anchor
  readonly #authority: TimeStampAuthority
  readonly #everyMs: number

  constructor(anchor: Anchor, authority: TimeStampAuthority, minutes: number) {
    this.#anchor = anchor
    this.#authority = authority
    this.#everyMs = minutes * 60_000
  }

  /**
   * Has the newest head stamped when one has waited for so many minutes, or none was stamped yet. Returns whether it was.
   * Throws when the authority fails; the head then waits for the next call.
   */
  async stampTrail(): Promise<boolean> {
    const head = await this.#anchor.findUnstamped()
    if (!head || !(head.isFirst || Date.now() - Date.parse(head.since) >= this.#everyMs)) return false
    const token = await requestTimeStamp(this.#authority, head.hash).catch((error: unknown) => {
      throw new Error(
        `The audit trail got no time stamp from FORDRA_TSA_URL: ${(error as Error).message} The next attempt is in a minute.`,
        { cause: error },
      )
    })
    await this.#anchor.recordTimeStamp(head, token)
    return true
  }

  /** Seconds for which the first head without a time stamp has waited; 0 where none waits. */
  async waitingSeconds(): Promise<number> {
    const head = await this.#anchor.findUnstamped()
    return head ? Math.max(0, (Date.now() - Date.parse(head.since)) / 1000) : 0
  }
}
