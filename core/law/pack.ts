/**
 * Law packs: what the law of a country says about collection, as data with validity dates and sources
 * (data/law), as read-pack.ts checks it. Not legal advice.
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
  'minorClaim',
  'deceased',
  'debtRelief',
  'bankruptcy',
  'disputed',
  'unanswered',
  'plan',
  'barred',
] as const
export type Circumstance = (typeof circumstances)[number]

/** Agreements that a fee can need. */
export const agreements = ['reminderFee', 'planCosts'] as const

export const dayCounts = ['actual/365', 'actual/actual', '30/360'] as const
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
  /** `allowed`: a claim with a title has passed this stage and is not asked. */
  titled?: 'allowed'
  /** A letter sent more months ago does not count. */
  validMonths?: number
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
  /** How many of a claim whose principal is at most `upTo` (decimal text), or that has a title. */
  fewer?: { upTo: string; most: number }
}
export interface FeeStage {
  stage: string
  /** It applies from so many days after its anchor. */
  after?: Anchor
  days?: number
  /** It applies to plans with more instalments than these, of claims without a title. */
  untitledInstalmentsAbove?: number
}
export interface CeilingRule extends ActionRule {
  subject: 'ceiling'
  /** The type of the rows in the fee table that name the amounts. */
  fee: string
  /** Fee types that share the ceiling. Left out, each fee has a ceiling of its own. */
  sum?: string[]
  /** Stages of the fee table; the last that applies counts. */
  stages?: FeeStage[]
  /** A fee for a payment plan is allowed with more instalments than these only. */
  instalmentsAbove?: number
}
export interface TotalRule extends ActionRule {
  subject: 'total'
  fees: string[]
  fee: string
  /** The type of the rows for a claim with a title. */
  enforceable: string
}
/** The fixed compensation and the costs of collection overlap: of both together only the larger is owed. */
export interface OffsetRule extends ActionRule {
  subject: 'offset'
  /** The fee type of the compensation. The other fees among the actions are the costs. */
  compensation: string
}
export interface ScaleRule extends ActionRule {
  subject: 'scale'
  fees: string[]
  /** Decimal text, at most two decimals: the part of the scale's fee. */
  factor: string
  later?: { after: Anchor; days: number; factor: string }
  /** Decimal text: the part of the principal that the fee goes by. The whole when left out; then small claims cost less. */
  valueShare?: string
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
/** When late interest begins where the due date was not agreed in advance. */
export interface InterestStartRule extends Rule {
  subject: 'interestStart'
  /** The day that the days count from: that of the invoice, or the later of invoice and due date. */
  after: 'invoice' | 'invoiceAndDueDate'
  /** Days until interest runs. Null where only a reminder begins it, or the law counts months. */
  days: number | null
  /** Months until interest runs, in place of days. */
  months?: number
}
export interface RateChangeRule extends Rule {
  subject: 'rateChange'
  /** The months on whose first day a rate begins. */
  months: number[]
  /** The days before it on which the rate is known. A month unless given. */
  ahead?: number
}
export interface LimitationPackRule extends Rule {
  subject: 'limitation'
  claim: ClaimKind
  years: number
  fromYearEnd?: boolean
  fromOrigin?: boolean
  anew: Partial<Record<Interruption, number>>
  /** Years anew of an acknowledgement in writing that names the amount. As of any other when left out. */
  anewInWriting?: number
  final?: { years: number; afterTitle: number }
}
export interface ContactRule extends ActionRule {
  subject: 'contact'
  /** Local hours, as `08:00-21:00`. */
  weekdays: string
  saturdays: string
}

/**
 * Several claims of one creditor on one debtor are demanded together by these letters, with one fee. With
 * `override` a client may demand them one by one.
 */
export interface BundlingRule extends ActionRule {
  subject: 'bundling'
  /** The principal by which the one fee is judged: of all claims together, or of the claim that bears it. */
  principal: 'joint' | 'own'
}

/** What a debtor tells the agency, and gets an answer to. */
export const answeredMatters = ['OBJECTION', 'COMPLAINT', 'HARDSHIP'] as const
export type AnsweredMatter = (typeof answeredMatters)[number]

/** By when the debtor gets an answer. */
export interface AnswerRule extends Rule {
  subject: 'answer'
  matters: AnsweredMatter[]
  /** Days from the receipt at most. Null where the law says "without delay": then the settings say how many. */
  days: number | null
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
  | OffsetRule
  | OthersRule
  | AgreementRule
  | CircumstanceRule
  | DeadlineRule
  | DayCountRule
  | MarginRule
  | InterestStartRule
  | RateChangeRule
  | LimitationPackRule
  | ContactRule
  | BundlingRule
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
