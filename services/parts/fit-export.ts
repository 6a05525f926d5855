/** Keeps the export of a debtor's data within what a service may return, and says of all that it leaves out where it is. */

export interface LeftOut {
  /** The path of the member: `cases.explanation`; or `cases` for whole ones. */
  part: string
  /** The cases it was left out of, where it was not of all. */
  caseGuids?: string[]
  why: string
  /** Where it can be read. */
  readAt: string
}

export interface CaseExport {
  caseGuid: string
  explanation?: unknown
  transactions?: unknown
  changes?: unknown
  [member: string]: unknown
}

export interface DebtorExport {
  cases: CaseExport[]
  leftOut: LeftOut[]
  changes?: unknown
  paymentPlans?: { changes?: unknown; [member: string]: unknown }[]
  [member: string]: unknown
}

const measureLength = (value: unknown) => JSON.stringify(value).length

const without = <T extends object, K extends keyof T>(value: T, member: K): T => {
  const { [member]: _left, ...rest } = value
  return rest as T
}

/** What follows from the rest goes first, then the history of changes; each with what is known of it elsewhere. */
const steps: { part: string; readAt: string; leave(all: DebtorExport): DebtorExport }[] = [
  {
    part: 'cases.explanation',
    readAt: 'GET /debtors/{debtorGuid}/cases/{caseGuid}/explain',
    leave: (all) => ({ ...all, cases: all.cases.map((one) => without(one, 'explanation')) }),
  },
  {
    part: 'cases.transactions',
    readAt: 'GET /cases/{caseGuid}/movements',
    leave: (all) => ({ ...all, cases: all.cases.map((one) => without(one, 'transactions')) }),
  },
  {
    part: 'cases.changes',
    readAt: 'GET /audit?$filter=subjectGuid eq {caseGuid}',
    leave: (all) => ({ ...all, cases: all.cases.map((one) => without(one, 'changes')) }),
  },
  {
    part: 'changes, paymentPlans.changes',
    readAt: 'GET /audit?$filter=subjectGuid eq {debtorGuid}, or {paymentPlanGuid}',
    leave: (all) => ({
      ...without(all, 'changes'),
      ...(all.paymentPlans && { paymentPlans: all.paymentPlans.map((one) => without(one, 'changes')) }),
    }),
  },
]

/**
 * The export in at most `lengthMax` characters of JSON: as it is, or else without what follows from the rest, then without
 * the history, then with as many cases as there is room for. Undefined when not even its first case has room.
 */
export function fitExport(all: DebtorExport, lengthMax: number): DebtorExport | undefined {
  const why = `The export would have more than ${lengthMax} characters.`
  let fitted = all
  for (const { part, readAt, leave } of steps) {
    if (measureLength(fitted) <= lengthMax) return fitted
    const smaller = leave(fitted)
    // Nothing of the kind was there.
    if (measureLength(smaller) === measureLength(fitted)) continue
    fitted = { ...smaller, leftOut: [...fitted.leftOut, { part, why, readAt }] }
  }
  return measureLength(fitted) <= lengthMax ? fitted : withFewerCases(fitted, why, lengthMax)
}

function withFewerCases(all: DebtorExport, why: string, lengthMax: number): DebtorExport | undefined {
  const lengths = all.cases.map((one) => measureLength(one) + 1)
  const leaving = (count: number): DebtorExport => {
    const caseGuids = all.cases.slice(count).map(({ caseGuid }) => caseGuid)
    const readAt = 'This service again, with these caseGuids.'
    return {
      ...all,
      cases: [],
      leftOut: [...all.leftOut, { part: 'cases', caseGuids, why, readAt }],
    }
  }
  for (let count = all.cases.length - 1; count > 0; count--) {
    const taken = lengths.slice(0, count).reduce((sum, length) => sum + length, 0)
    const fewer = leaving(count)
    if (measureLength(fewer) + taken <= lengthMax) return { ...fewer, cases: all.cases.slice(0, count) }
  }
  return undefined
}
