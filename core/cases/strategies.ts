/**
 * Collection strategies as data. A step says after how many days in a status, and under which conditions,
 * which actions are taken. The shipped strategies (data/strategies.json) name the legal source of their
 * waiting times and fees. Not legal advice.
 */
import shipped from '../../data/strategies.json' with { type: 'json' }
import type { OpenStatus, CaseService, SubStatus } from './case-lifecycle.ts'

export type StepAction =
  /** A fee of the client's terms or the statute. Nothing is charged when neither has one. */
  | { kind: 'fee'; feeType: string }
  | { kind: 'status'; status: OpenStatus; subStatus: SubStatus }
  /** A letter to the main debtor, to pay within `dueDays`. Without `dueDays` the letter has no deadline. */
  | { kind: 'letter'; letter: 'reminder' | 'notice' | 'demand' | 'legal' | 'surveillance'; dueDays?: number }
  /** A custom service for the main debtor, in the background, with the user's rights. */
  | { kind: 'service'; service: string; userGuid: string; input?: Record<string, unknown> }
  /** Something that a case handler does by hand: it becomes an item of work. */
  | { kind: 'task'; task: string }

export interface StrategyStep {
  code: string
  status: OpenStatus
  /** Any subStatus when left out; the same applies to every other condition. */
  subStatus?: SubStatus
  service?: CaseService
  afterDays: number
  countries?: string[]
  currencies?: string[]
  /** Bounds of the remaining amount in units of the currency: from, inclusive, and below, exclusive. */
  amountFrom?: number
  amountBelow?: number
  onPlan?: boolean
  actions: StepAction[]
  source?: string
}

export interface Strategy {
  code: string
  name: string
  source: string
  unverified: boolean
  steps: StrategyStep[]
}

export const shippedStrategies = shipped.strategies as Strategy[]
