/** Trials: every debtor has the arm that seed and shares give, and each look told what the ledger says. */
import type { TrialItem, TrialOutcome } from '../../../contract/collection/trials.ts'
import { assignArm } from '../../../core/trials/assignment.ts'
import { EffectSequence } from '../../../core/trials/effect-sequence.ts'
import type { Database } from '../../../server/platform/database/database.ts'
import type { TrialLook } from '../model.ts'
import type { World } from '../world.ts'

/** What holds of trials at every moment, as the checks in `invariants.ts`. */
export const trialChecks: Record<string, string> = {
  'two open cases of a debtor and client are in different trials, or one is in none': `
    select one.case_number || ' and ' || other.case_number
    from debt_case one join debt_case other on other.main_debtor_id = one.main_debtor_id and other.client_id = one.client_id
      and other.running_number > one.running_number and other.currency_code = one.currency_code
      left join trial_case k on k.case_id = one.id left join trial_case l on l.case_id = other.id
    where k.trial_id is distinct from l.trial_id and not exists (
      select from audit_entry a where a.subject in (one.id, other.id) and a.action in ('closed', 'reopened'))`,
  'a case is in a trial in which its debtor has no arm': `
    select k.case_id::text from trial_case k where not exists (
      select from trial_debtor d where d.trial_id = k.trial_id and d.debtor_id = k.debtor_id)`,
  'a step of another arm was taken': `
    select k.case_id::text from strategy_step_taken s join strategy_step p on p.id = s.step_id
      join trial_case k on k.case_id = s.case_id
      join trial_debtor d on d.trial_id = k.trial_id and d.debtor_id = k.debtor_id
      join trial_arm a on a.trial_id = d.trial_id and a.number = d.arm
    where s.refused is null and p.strategy_id <> a.strategy_id`,
  'two trials of a champion run for the same client': `
    select t.name || ' and ' || o.name from trial t join trial o on o.id > t.id and o.champion_id = t.champion_id
    where t.status = 'RUNNING' and o.status = 'RUNNING' and (t.client_id is null or o.client_id is null or t.client_id = o.client_id)`,
}

interface Assigned {
  trialGuid: string
  debtorGuid: string
  caseGuid: string
  arm: number
  date: string
  /** Minor units. */
  claim: number
  tolerance: number
  seed: string
  shares: number[]
  days: number
  highest: number
}

interface Entry {
  caseGuid: string
  kind: string
  bookedDate: string
  account: string
  amount: number
}

/** At the end of a run. */
export async function findTrialFaults({ sql, model }: World): Promise<string[]> {
  if (model.trials.length === 0) return []
  const assigned = await sql<Assigned[]>`
    select d.trial_id as "trialGuid", d.debtor_id as "debtorGuid", d.case_id as "caseGuid", d.arm,
      d.assigned_date as date, d.claim, d.tolerance, t.seed, t.outcome_days as days, t.highest_amount as highest,
      (select array_agg(a.share order by a.number) from trial_arm a where a.trial_id = t.id) as shares
    from trial_debtor d join trial t on t.id = d.trial_id order by d.assigned_date, d.case_id`
  const faults = assigned
    .filter(({ seed, debtorGuid, shares, arm }) => assignArm(seed, debtorGuid, shares) !== arm)
    .map(({ debtorGuid, arm }) => `The debtor ${debtorGuid} has arm ${arm}, which is not that of the seed.`)
  // Bookings of a date that was set back count on days that were looked at.
  if (await wasSetBack(sql)) return faults
  const entries = await sql<Entry[]>`
    select t.case_id as "caseGuid", t.kind, t.booked_date as "bookedDate", e.account, e.amount
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
    where t.case_id in (select case_id from trial_debtor)`
  const byCase = Map.groupBy(entries, ({ caseGuid }) => caseGuid)
  for (const look of model.looks) {
    const own = assigned.filter(({ trialGuid }) => trialGuid === look.guid)
    faults.push(...checkLook(look, own, byCase))
  }
  return faults
}

async function wasSetBack(sql: Database): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from audit_entry where type = 'systemdate.set'
      and changes #>> '{systemDate,1}' < changes #>> '{systemDate,0}') as found`
  return row!.found
}

const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

const paying = new Set(['payment', 'thirdPartyPayment', 'creditUse'])
const within = (value: number) => Math.max(0, Math.min(1, value))

/** What a case came to on its last day, by its entries alone. */
function sumOutcomes(
  { date, days, claim, tolerance, highest }: Assigned,
  entries: readonly Entry[],
): Record<TrialOutcome, number> {
  let [paid, unpaid] = [0, 0]
  for (const { kind, bookedDate, account, amount } of entries) {
    if (bookedDate > addDays(date, days)) continue
    const isReceivable = account.startsWith('receivable:')
    if (isReceivable && paying.has(kind)) paid -= amount
    if (isReceivable || account === 'write-off') unpaid += amount
  }
  return {
    collectedShare: within(paid / claim),
    paidInFull: paid > 0 && unpaid <= tolerance ? 1 : 0,
    collectedAmount: within(paid / highest),
  }
}

const outcomes = ['collectedShare', 'paidInFull', 'collectedAmount'] as const

function checkLook(
  { guid, results }: TrialLook,
  assigned: readonly Assigned[],
  entries: ReadonlyMap<string, Entry[]>,
): string[] {
  const day = results.date!.slice(0, 10)
  const mature = assigned
    .filter(({ date, days }) => addDays(date, days) < day)
    .map((one) => ({ arm: one.arm, ...sumOutcomes(one, entries.get(one.caseGuid) ?? []) }))
  const faults: string[] = []
  const compare = (what: string, told: number, expected: number) => {
    if (Math.abs(told - expected) > 1e-9)
      faults.push(
        `The look at trial ${guid} on ${day} told ${what} ${told}, and the ledger says ${expected}.`,
      )
  }
  compare('mature cases', results.matureCases, mature.length)
  for (const [number, arm] of results.arms.entries()) {
    const own = mature.filter((one) => one.arm === number)
    for (const name of outcomes) {
      const about = `${name} of arm ${number}`
      if (arm.means)
        compare(about, arm.means[name], own.reduce((sum, one) => sum + one[name], 0) / own.length)
      if (number > 0)
        compare(
          `the effect on ${about}`,
          arm.effects![name].from,
          sequence(results.arms, number, mature, name),
        )
    }
  }
  return faults
}

/** The lower end of the interval. */
function sequence(
  arms: TrialItem['arms'],
  number: number,
  mature: readonly ({ arm: number } & Record<TrialOutcome, number>)[],
  name: TrialOutcome,
): number {
  const shares = arms[0]!.share + arms[number]!.share
  const terms = { share: arms[number]!.share / shares, error: 0.05 / outcomes.length / (arms.length - 1) }
  const found = new EffectSequence(terms)
  for (const one of mature) if (one.arm === 0 || one.arm === number) found.add(one.arm === number, one[name])
  return found.interval().from
}
