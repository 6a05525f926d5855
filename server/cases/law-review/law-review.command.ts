/** The command `law-review`: reviews all cases by the law, in chunks, and stores what was found. */
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { findLegalCases } from '../../ledger/legal-cases.store.ts'
import { loadHistories } from '../../ledger/ledger.store.ts'
import { findFeesBetween } from '../../ledger/rates/statutory-fees.store.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { RunningJob } from '../../platform/jobs/job.ts'
import { reviewCase } from './review-case.ts'
import {
  findChunk,
  findClosedPeriods,
  findReviewedCases,
  insertFindings,
  type NewFinding,
  type ReviewedCase,
} from './reviewed-cases.store.ts'

export const lawReviewCommand = (chunkRows = 1000): CommandHandler => ({
  command: 'law-review',
  run: async (job) => {
    const date = await startReview(job)
    const findFees = makeFeeTables(date)
    const figures = { cases: 0, findings: 0 }
    const [all] = await job.sql<{ count: number }[]>`select count(*)::int as count from debt_case`
    let after = '00000000-0000-0000-0000-000000000000'
    for (let isDone = false; !isDone;) {
      await job.progress(figures.cases, all!.count)
      const chunk = await inTransaction(job.sql, async (tx) => {
        const ids = await findChunk(tx, after, chunkRows)
        const found = await reviewChunk(tx, ids, { date, findFees })
        return { ids, findings: await insertFindings(tx, job.id, found) }
      })
      figures.cases += chunk.ids.length
      figures.findings += chunk.findings
      after = chunk.ids.at(-1) ?? after
      isDone = chunk.ids.length < chunkRows
    }
    await job.complete(async (tx) => {
      await finishReview(tx, job.id, figures)
      return { ...figures, lawReviewGuid: job.id }
    })
  },
})

/** Begins a review, or begins it anew after a crash. Returns the business date. */
async function startReview({ id, askedBy, sql }: RunningJob): Promise<string> {
  return inTransaction(sql, async (tx) => {
    await tx`delete from law_finding where review_id = ${id}`
    const [row] = await tx<{ date: string }[]>`
      insert into law_review (id, business_date, requested_by)
      select ${id}, business_date, ${askedBy} from business_clock
      on conflict (id) do update set business_date = excluded.business_date returning business_date as date`
    return row!.date
  })
}

/** Findings of earlier reviews that nobody confirmed are replaced. */
async function finishReview(
  tx: Db,
  reviewGuid: string,
  { cases, findings }: { cases: number; findings: number },
): Promise<void> {
  await tx`
    update law_finding set status = 'REPLACED'
    where status in ('OPEN', 'LISTED', 'REFUSED') and review_id <> ${reviewGuid}`
  await tx`
    update law_review set finished_at = now(), cases = ${cases}, findings = ${findings} where id = ${reviewGuid}`
}

const guids = (some: readonly ReviewedCase[]): string[] => some.map(({ caseGuid }) => caseGuid)

type FeeTables = (db: Db, country: string | null) => Promise<readonly ShippedFee[]>

/** The fee tables of all days up to a date, read once a country. */
function makeFeeTables(date: string): FeeTables {
  const known = new Map<string, readonly ShippedFee[]>()
  return async (db, country) => {
    if (country === null) return []
    const found = known.get(country) ?? (await findFeesBetween(db, country, { from: '0001-01-01', to: date }))
    known.set(country, found)
    return found
  }
}

async function reviewChunk(
  db: Db,
  caseGuids: readonly string[],
  { date, findFees }: { date: string; findFees: FeeTables },
): Promise<{ of: ReviewedCase; findings: NewFinding[] }[]> {
  const cases = await findReviewedCases(db, caseGuids, date)
  const reckoned = guids(cases.filter(({ reckons }) => reckons))
  const legal = await findLegalCases(db, guids(cases), date)
  const histories = await loadHistories(db, reckoned, { withTransactions: false })
  const historyByCase = new Map(histories.map((history) => [history.caseGuid, history]))
  const closed = await findClosedPeriods(db, reckoned)
  const found: { of: ReviewedCase; findings: NewFinding[] }[] = []
  for (const one of cases) {
    const facts = legal.get(one.caseGuid)!
    const findings = reviewCase(one, {
      legal: facts,
      fees: await findFees(db, facts.country),
      date,
      history: historyByCase.get(one.caseGuid) ?? null,
      closedPeriods: closed.get(one.caseGuid) ?? [],
    })
    if (findings.length > 0) found.push({ of: one, findings })
  }
  return found
}
