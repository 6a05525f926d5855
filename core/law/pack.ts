/**
 * Law packs: what the law of a country says about collection, as data with validity dates and sources
 * (data/law). `readPack` checks a pack and throws a RangeError that names what is wrong. Not legal advice.
 */
import type { ClaimKind, Interruption, FeeDebtor } from './terms.ts'

export interface PackSource {
  title: string
  url: string | null
  /** The day on which the text itself was read, YYYY-MM-DD. Null when it was not. */
  seen: string | null
}

/**
 * verified: the text of the source was read. unverified: told by others; it applies as well. proposed: not
 * law yet; it never applies.
 */
export const ruleStatuses = ['verified', 'unverified', 'proposed'] as const

/** What a waiting time counts from. A deadline is that of the last letter of its kind. */
export const anchors = [
  'dueDate',
  'reminder',
  'reminderDeadline',
  'noticeDeadline',
  'demandDeadline',
] as const
export type Anchor = (typeof anchors)[number]

export const circumstances = [
  'minor',
  'deceased',
  'debtRelief',
  'bankruptcy',
  'disputed',
  'plan',
  'barred',
] as const
export type Circumstance = (typeof circumstances)[number]

/** Agreements that a fee can need. */
export const agreements = ['reminderFee'] as const

export const dayCounts = ['actual/365', 'actual/actual'] as const
export type DayCount = (typeof dayCounts)[number]

interface Rule {
  code: string
  /** The first and the last day on which it applies. Null is open. */
  from: string | null
  to: string | null
  /** The debtors it applies to. All of them when left out. */
  debtor?: FeeDebtor
  /** True if the law leaves it to agreement or to the single case: an administrator may override it. */
  override?: boolean
  source: string
  paragraph: string
  status: (typeof ruleStatuses)[number]
  /** What it says, in one English sentence. */
  text: string
}

/** A rule about actions: `fee:<type>`, `fee:*`, `letter:<kind>` or `contact:telephone`. */
interface ActionRule extends Rule {
  actions: string[]
}

export interface WaitingRule extends ActionRule {
  subject: 'waiting'
  after: Anchor
  /** The action is allowed from so many days after the anchor. */
  days: number
  /** What applies to a case without the anchor. */
  missing: 'refused' | 'allowed'
}
export interface SpacingRule extends ActionRule {
  subject: 'spacing'
  /** Days between two of these actions at least. */
  days: number
}
export interface CountRule extends ActionRule {
  subject: 'count'
  most: number
  /** True: so many of each action. False: so many of all of them together. */
  each: boolean
}
export interface CeilingRule extends ActionRule {
  subject: 'ceiling'
  /** The type of the rows in the fee table that name the amounts. */
  fee: string
  /** Fee types that share the ceiling. Left out, each fee has a ceiling of its own. */
  sum?: string[]
  /** Stages of the fee table, each from so many days after its anchor. */
  stages?: { stage: string; after?: Anchor; days?: number }[]
}
export interface TotalRule extends ActionRule {
  subject: 'total'
  fees: string[]
  fee: string
  /** The type of the rows for a claim with a title. */
  enforceable: string
}
export interface ScaleRule extends ActionRule {
  subject: 'scale'
  fees: string[]
  /** Decimal text, at most two decimals: the part of the scale's fee. */
  factor: string
  later: { after: Anchor; days: number; factor: string }
}
export interface OthersRule extends Rule {
  subject: 'others'
  /** Fee types without a rule that may be charged. */
  allowed: string[]
}
export interface AgreementRule extends ActionRule {
  subject: 'agreement'
  what: (typeof agreements)[number]
}
export interface CircumstanceRule extends ActionRule {
  subject: 'circumstance'
  circumstance: Circumstance
  /** True if letters may go to a registered guardian. */
  guardian?: boolean
}
export interface DeadlineRule extends ActionRule {
  subject: 'deadline'
  /** Days from the letter to its deadline at least. */
  days: number
}
export interface DayCountRule extends Rule {
  subject: 'dayCount'
  basis: DayCount
}
export interface MarginRule extends Rule {
  subject: 'margin'
  /** Percentage points above the reference rate, as decimal text. */
  points: string
}
export interface RateChangeRule extends Rule {
  subject: 'rateChange'
  /** The months on whose first day a rate begins. */
  months: number[]
}
export interface LimitationPackRule extends Rule {
  subject: 'limitation'
  claim: ClaimKind
  years: number
  fromYearEnd?: boolean
  fromOrigin?: boolean
  anew: Partial<Record<Interruption, number>>
  final?: { years: number; afterTitle: number }
}
export interface ContactRule extends ActionRule {
  subject: 'contact'
  /** Local hours, as `08:00-21:00`. */
  weekdays: string
  saturdays: string
}

/** Days within which an objection or a complaint is answered. */
export interface AnswerRule extends Rule {
  subject: 'answer'
  days: number
}
/** What must be assessed before the action, for claims of some kinds. */
export interface AssessmentRule extends ActionRule {
  subject: 'assessment'
  what: 'hardship'
  claims: ClaimKind[]
}

export type PackRule =
  | WaitingRule
  | SpacingRule
  | CountRule
  | CeilingRule
  | TotalRule
  | ScaleRule
  | OthersRule
  | AgreementRule
  | CircumstanceRule
  | DeadlineRule
  | DayCountRule
  | MarginRule
  | RateChangeRule
  | LimitationPackRule
  | ContactRule
  | AnswerRule
  | AssessmentRule
export type RuleSubject = PackRule['subject']
export type RuleOf<S extends RuleSubject> = Extract<PackRule, { subject: S }>

/** A row of the fee table. Amounts and bounds are decimal text in the currency itself, null is open. */
export interface PackFee {
  type: string
  debtor: FeeDebtor
  currency: string
  /** Inclusive, like `to`. */
  from: string | null
  to: string | null
  /** The fee applies to a principal above this and up to `upTo`. */
  above: string | null
  upTo: string | null
  /** Null for a fee whose amount is unknown. */
  amount: string | null
  /** What a second one of the same kind may cost. */
  second?: string | null
  /** Added to the row before for each started step of this size (a scale such as Germany's). */
  perStarted?: string
  stage?: string | null
  creditorDeductsVat?: boolean | null
  /** When it may be charged, in words. */
  condition?: string | null
  source: string
  unverified: boolean
}

export interface LawPack {
  country: string
  name: string
  asOf: string
  sources: Record<string, PackSource>
  rules: PackRule[]
  fees: PackFee[]
}

const isDay = (value: unknown) => value === null || (typeof value === 'string' && dayPattern.test(value))
const isDays = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 3660
const isText = (value: unknown) => typeof value === 'string' && value.length > 0
const isDecimal = (value: unknown) => typeof value === 'string' && /^\d+(\.\d{1,4})?$/.test(value)
const isBound = (value: unknown) => value === null || isDecimal(value)
const isOptional = (check: Check) => (value: unknown) => value === undefined || check(value)
const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check)
const isFlag = (value: unknown) => typeof value === 'boolean'
const isAction = (value: unknown) =>
  typeof value === 'string' && /^(fee|letter|contact|status):(\*|\w+)$/.test(value)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

type Check = (value: unknown) => boolean
type Shape = Record<string, Check>

const debtors = ['consumer', 'business', 'all']
const common: Shape = {
  code: (value) => typeof value === 'string' && /^[A-Z]{2}(-[A-Z]+)+$/.test(value),
  from: isDay,
  to: isDay,
  debtor: isOptional(isOneOf(debtors)),
  override: isOptional(isFlag),
  source: isText,
  paragraph: (value) => typeof value === 'string',
  status: isOneOf(ruleStatuses),
  text: isText,
}
const about: Shape = { ...common, actions: isListOf(isAction) }
const isLater: Check = (value) =>
  isRecord(value) && isOneOf(anchors)(value['after']) && isDays(value['days']) && isDecimal(value['factor'])
const isStage: Check = (value) =>
  isRecord(value) &&
  isText(value['stage']) &&
  isOptional(isOneOf(anchors))(value['after']) &&
  isOptional(isDays)(value['days'])

const shapes: Record<RuleSubject, Shape> = {
  waiting: { ...about, after: isOneOf(anchors), days: isDays, missing: isOneOf(['refused', 'allowed']) },
  spacing: { ...about, days: isDays },
  count: { ...about, most: isDays, each: isFlag },
  ceiling: {
    ...about,
    fee: isText,
    sum: isOptional(isListOf(isText)),
    stages: isOptional(isListOf(isStage)),
  },
  total: { ...about, fees: isListOf(isText), fee: isText, enforceable: isText },
  scale: { ...about, fees: isListOf(isText), factor: isDecimal, later: isLater },
  others: { ...common, allowed: isListOf(isText) },
  agreement: { ...about, what: isOneOf(agreements) },
  circumstance: { ...about, circumstance: isOneOf(circumstances), guardian: isOptional(isFlag) },
  deadline: { ...about, days: isDays },
  dayCount: { ...common, basis: isOneOf(dayCounts) },
  margin: { ...common, points: isDecimal },
  rateChange: { ...common, months: isListOf((value) => isDays(value) && Number(value) <= 12) },
  limitation: {
    ...common,
    claim: isText,
    years: isDays,
    fromYearEnd: isOptional(isFlag),
    fromOrigin: isOptional(isFlag),
    anew: isRecord,
    final: isOptional(isRecord),
  },
  answer: { ...common, days: isDays },
  assessment: { ...about, what: isOneOf(['hardship']), claims: isListOf(isText) },
  contact: { ...about, weekdays: isText, saturdays: isText },
}
const feeShape: Shape = {
  type: isText,
  debtor: isOneOf(debtors),
  currency: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  from: isDay,
  to: isDay,
  above: isBound,
  upTo: isBound,
  amount: isBound,
  second: (value) => value === undefined || isBound(value),
  perStarted: isOptional(isDecimal),
  stage: isOptional((value) => value === null || isText(value)),
  creditorDeductsVat: isOptional((value) => value === null || isFlag(value)),
  condition: isOptional((value) => value === null || isText(value)),
  source: isText,
  unverified: isFlag,
}

/** Checks a pack. Throws a RangeError that names the pack, the rule and the member, gap or overlap. */
export function readPack(given: unknown): LawPack {
  if (!isRecord(given) || !isText(given['country'])) throw new RangeError('A law pack names its country.')
  const pack = given as unknown as LawPack
  const fail = (what: string): never => {
    throw new RangeError(`The law pack ${pack.country} ${what}`)
  }
  for (const member of ['name', 'asOf'] as const) if (!isText(pack[member])) fail(`lacks ${member}.`)
  if (!isRecord(pack.sources) || !Array.isArray(pack.rules) || !Array.isArray(pack.fees))
    fail('lacks sources, rules or fees.')
  for (const rule of pack.rules) {
    const shape = shapes[rule.subject] ?? fail(`has a rule of the unknown subject ${String(rule.subject)}.`)
    checkShape({ ...rule, subject: undefined }, shape, `in the rule ${rule.code}`, fail)
    if (!rule.code.startsWith(`${pack.country}-`)) fail(`has a rule of another country: ${rule.code}.`)
    if (!pack.sources[rule.source]) fail(`names no source ${rule.source} of the rule ${rule.code}.`)
    if (rule.status === 'verified' && pack.sources[rule.source]!.seen === null)
      fail(`calls the rule ${rule.code} verified, but nobody has read its source.`)
  }
  for (const [code, versions] of Map.groupBy(pack.rules, (rule) => rule.code))
    checkVersions(versions, `the rule ${code}`, fail)
  for (const fee of pack.fees) {
    checkShape(fee as unknown as Record<string, unknown>, feeShape, `in the fee ${fee.type}`, fail)
    if (!pack.sources[fee.source]) fail(`names no source ${fee.source} of the fee ${fee.type}.`)
    if (!fee.unverified && pack.sources[fee.source]!.seen === null)
      fail(`calls the fee ${fee.type} verified, but nobody has read its source.`)
  }
  for (const [slot, versions] of Map.groupBy(pack.fees, feeSlot))
    checkVersions(versions, `the fee ${slot}`, fail)
  return pack
}

const feeSlot = ({ type, debtor, currency, above, upTo, stage, creditorDeductsVat, condition }: PackFee) =>
  [type, debtor, currency, above, upTo, stage, creditorDeductsVat, type === 'paymentPlan' ? condition : null]
    .filter((part) => part !== null && part !== undefined)
    .join(' ')

function checkShape(
  given: Record<string, unknown>,
  shape: Shape,
  where: string,
  fail: (what: string) => never,
): void {
  for (const [member, check] of Object.entries(shape))
    if (!check(given[member])) fail(`has a wrong ${member} ${where}: ${JSON.stringify(given[member])}.`)
  for (const member of Object.keys(given))
    if (given[member] !== undefined && !Object.hasOwn(shape, member))
      fail(`has an unknown ${member} ${where}.`)
}

/** The versions of a rule follow each other day by day. */
function checkVersions(
  versions: readonly { from: string | null; to: string | null }[],
  what: string,
  fail: (what: string) => never,
): void {
  const sorted = versions.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
  for (const [index, { from, to }] of sorted.entries()) {
    if (from !== null && to !== null && to < from) fail(`ends ${what} on ${to}, before it begins on ${from}.`)
    const next = sorted[index + 1]
    if (!next) continue
    if (to === null || next.from === null || next.from <= to)
      fail(`has two versions of ${what} on ${next.from ?? 'every day'}: an overlap.`)
    if (next.from !== dayAfter(to!)) fail(`has no version of ${what} from ${dayAfter(to!)}: a gap.`)
  }
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
