/** Claims that were demanded together, and a review by the law, so that the demo shows both. */
import { addDays } from '../../core/calendar/calendar.ts'
import { registerCase } from '../../server/cases/register-case.ts'
import { sendLetter } from '../../server/collection/letters/send-letter.ts'
import { insertCommandJob } from '../../server/integration/commands/commands.store.ts'
import { inTransaction, type Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { demoCaller } from './insert-cases.ts'

/** Where the law or the client wants claims of one debtor to be demanded together. */
const bundled = [
  { code: 'STADSHEM', country: 'SE', currency: 'SEK', what: ['Rent in March', 'Rent in April'] },
  {
    code: 'NORDKRAFT-NO',
    country: 'NO',
    currency: 'NOK',
    what: ['Electricity in March', 'Electricity in April', 'Grid fee'],
  },
] as const
const groupsEach = 2
/** Debtors who may not be written to, such as minors, are passed over. */
const candidatesEach = 20

/** Returns the number of demand groups. The review is a job, which runs once the service has started. */
export async function insertDemoLaw(db: Db, origin: Origin): Promise<number> {
  let made = 0
  for (const one of bundled) {
    const [client] = await db<{ id: string }[]>`select id from party where reference_code = ${one.code}`
    if (!client) continue
    const debtors = await db<{ id: string }[]>`
      select id from debtor where country_code = ${one.country} order by id limit ${candidatesEach}`
    const wanted = made + groupsEach
    for (const { id } of debtors) {
      if (made === wanted) break
      if (await demandTogether(db, { ...one, clientGuid: client.id, debtorGuid: id }, origin)) made += 1
    }
  }
  await insertCommandJob(db, { command: 'law-review', given: [], askedBy: null, requestId: null })
  return made
}

type Claims = (typeof bundled)[number] & { clientGuid: string; debtorGuid: string }

/** Registers the claims of a debtor and demands them by one letter. Returns whether the law lets it be sent. */
async function demandTogether(
  db: Db,
  { clientGuid, debtorGuid, currency, country, what }: Claims,
  origin: Origin,
): Promise<boolean> {
  const today = origin.businessDate
  try {
    await inTransaction(db, async (tx) => {
      const cases: string[] = []
      for (const [number, description] of what.entries()) {
        const input = {
          clientGuid,
          debtorGuid,
          description,
          principal: 900 + 275 * number,
          currencyCode: currency,
          dueDate: addDays(today, -60 + 10 * number),
          ...(country === 'NO' && { noticeDeadline: addDays(today, -10) }),
        }
        cases.push((await registerCase(tx, demoCaller, input, { origin })).caseGuid)
      }
      const letter = { caseGuid: cases[0]!, kind: 'demand', dueDate: addDays(today, 20) }
      await sendLetter(tx, demoCaller, { debtorGuid, input: letter }, origin)
    })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
