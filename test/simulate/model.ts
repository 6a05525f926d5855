/** What the clients know: the records whose creation was acknowledged. */
import type { TrialResults } from '../../contract/collection/trials.ts'
import type { Random } from './random.ts'

export type Side = 'open' | 'hidden'

export interface KnownDebtor {
  guid: string
  side: Side
  /** Personal texts that nobody else has, whose storing was acknowledged. */
  telling: string[]
}

export interface KnownCase {
  guid: string
  debtor: KnownDebtor
  side: Side
  reference: string
}

export interface KnownRecord {
  guid: string
  debtor: KnownDebtor
}

export interface KnownUser {
  guid: string
  login: string
  password: string
  tokens: string[]
}

export interface KnownToken {
  token: string
  refresh: string
  user: KnownUser
}

/** What somebody was told of a trial. */
export interface TrialLook {
  guid: string
  results: TrialResults
}

/** A letter that waited when something that makes it wrong was acknowledged. */
export interface StoppedLetter {
  message: string
  document: string
  caseGuid: string
  about: string
  /** How many its case had by then. */
  movements: number
}

/** A webhook whose maker lost a right. */
export interface LimitedHook {
  path: string
  /** The first delivery after it. */
  from: number
  /** The newest event before it. Null where the maker only sees fewer clients. */
  last: number | null
  /** What was hidden from the maker then: a debtor without cases is not, and may get some. */
  hidden: ReadonlySet<string>
}

export class Model {
  readonly debtors: KnownDebtor[] = []
  readonly cases: KnownCase[] = []
  readonly invoices: KnownRecord[] = []
  readonly payments: KnownRecord[] = []
  readonly plans: KnownRecord[] = []
  readonly addresses: KnownRecord[] = []
  readonly notes: KnownRecord[] = []
  readonly extraFields: { name: string; debtor: KnownDebtor }[] = []
  readonly webhooks: string[] = []
  readonly limitedHooks: LimitedHook[] = []
  readonly users: KnownUser[] = []
  readonly sessions: KnownToken[] = []
  readonly jobs: string[] = []
  /** Imports whose job was acknowledged. */
  readonly imports: { jobId: string; what: 'debtors' | 'cases' | 'payments'; source: string }[] = []
  /** Bank files, to be sent again. */
  readonly bankFiles: string[] = []
  readonly documents: string[] = []
  readonly suspense: string[] = []
  readonly files: string[] = []
  readonly payouts: string[] = []
  /** Requests that wait, or were decided. */
  readonly approvals: string[] = []
  /** Acts that a role does alone up to a limit only. */
  readonly limited = new Set<string>()
  readonly stoppedLetters: StoppedLetter[] = []
  readonly paymentFiles: string[] = []
  readonly strategies: string[] = []
  readonly trials: string[] = []
  readonly looks: TrialLook[] = []
  readonly groups: string[] = []
  readonly fields: string[] = []
  readonly holdings: { guid: string; entity: string }[] = []
  /** Text that must stand nowhere in the database: passwords, tokens, secrets. */
  readonly secrets = new Set<string>()
  /** Personal text of debtors whose erasure was acknowledged, with what must be gone. */
  readonly erased: string[] = []
  /** Lists that were read, by whom: a node may remember something of each. */
  readonly listed: { name: string; address: string; token: string }[] = []
  /** The business date as it was last set. */
  day = 0

  /** Among how many of the newest debtors and cases clients choose. Few, so that operations meet. */
  spread = Infinity

  debtor(random: Random): KnownDebtor | undefined {
    return this.#choose(this.debtors, random)
  }

  case(random: Random): KnownCase | undefined {
    return this.#choose(this.cases, random)
  }

  #choose<T>(known: readonly T[], random: Random): T | undefined {
    if (random.chance(0.5)) return known.at(-1)
    return random.pick(random.chance(0.8) && this.spread < known.length ? known.slice(-this.spread) : known)
  }
}
