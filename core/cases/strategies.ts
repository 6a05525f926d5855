/**
 * Collection steps as data: when a case has stood in a status for so many days, and the conditions hold, what is done. The
 * strategies that are shipped (data/strategies.json) name the law of their waiting times and fees. Not legal advice.
 */
import shipped from '../../data/strategies.json' with { type: 'json' }
import type { OpenStatus, Service, SubStatus } from './case-life.ts'

export type StepAction =
  /** A fee of the client's terms or the statute; none is charged where neither has one. */
  | { kind: 'fee'; feeType: string }
  | { kind: 'status'; status: OpenStatus; subStatus: SubStatus }
  /** A letter to the main debtor, who is to pay within `dueDays`; without them it asks for nothing by a day. */
  | { kind: 'letter'; letter: 'reminder' | 'demand' | 'legal' | 'surveillance'; dueDays?: number }
  /** A custom service for the main debtor, in the background, with the rights of the user. */
  | { kind: 'service'; service: string; userGuid: string; input?: Record<string, unknown> }

export interface StrategyStep {
  code: string
  status: OpenStatus
  /** Any where it is left out, as with every condition. */
  subStatus?: SubStatus
  service?: Service
  afterDays: number
  countries?: string[]
  currencies?: string[]
  /** What remains, in the currency itself: at least, and less than. */
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
