/** What the tests of demand groups share: clients, nights, and what was sent and charged. */
import assert from 'node:assert/strict'
import type { DemandGroup } from '../../../contract/cases/demand-groups.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { registerCase } from '../../cases/register-case.ts'
import { applyStrategies } from '../../collection/strategies/apply-strategies.ts'
import { assignStrategy } from '../../collection/strategies/strategies.store.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import type { TestApi } from '../api.ts'
import { runJobs, waitForJob } from '../jobs.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from './cases.ts'

export const start = '2026-03-02'
export const notified = { noticeDeadline: '2026-02-25' }
const currencies: Record<string, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }

/** What was sent, charged and grouped. */
function makeReaders(api: TestApi) {
  /** The letters to a debtor by day, with the number of cases that each lists. */
  const listLetters = async (debtorGuid: string) =>
    (
      await api.sql<{ letter: string }[]>`
        select (business_date - ${start}::date) || ' ' || kind || ' ' || jsonb_array_length(data -> 'cases') as letter
        from document where debtor_id = ${debtorGuid} order by business_date, id`
    ).map(({ letter }) => letter)
  /** The fees of cases, in the order of the cases. */
  const listFees = (caseGuids: readonly string[]) =>
    Promise.all(
      caseGuids.map(async (caseGuid) =>
        (
          await api.sql<{ fee: string }[]>`
            select (details ->> 'feeType') || ' ' || amount as fee from movement
            where case_id = ${caseGuid} and kind = 'fee' order by number`
        ).map(({ fee }) => fee),
      ),
    )
  const findGroups = (debtorGuid: string) => api.sql<
    { id: string; reference: string; rule: string | null; cases: number }[]
  >`
    select g.id, g.payment_reference_number as reference, g.rule,
      (select count(*)::int from demand_group_case k where k.group_id = g.id) as cases
    from demand_group g where g.debtor_id = ${debtorGuid} order by g.number`
  const remaining = async (caseGuids: readonly string[]) =>
    Promise.all(
      caseGuids.map(async (caseGuid) => {
        const [row] = await api.sql<{ minor: number }[]>`
          select remaining_principal + remaining_interest + remaining_fee as minor from debt_case where id = ${caseGuid}`
        return row!.minor
      }),
    )
  const status = async (caseGuid: string) => {
    const [row] = await api.sql`select sub_status, status_since from debt_case where id = ${caseGuid}`
    return `${row!['sub_status']} ${row!['status_since']}`
  }

  const readGroup = async (debtorGuid: string, caseGuid: string) =>
    (await api.call<DemandGroup>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/demandgroup`)).body

  return { listLetters, listFees, findGroups, remaining, status, readGroup }
}

export function makeDemands(api: TestApi) {
  const readers = makeReaders(api)
  let clients = 0

  /** A client of a country with the default strategy, and a debtor. */
  async function open(country: string, terms: object = {}, strategy = 'NORDIC') {
    await api.setDate(start)
    const client = await api.addParty(`GROUP${++clients}`)
    await setTerms(api, client, { country_code: country, ...terms })
    await assignStrategy(api.sql, client, strategy)
    const debtorGuid = await makeDebtor(api)
    const register = async (input: object = {}, date = start) => {
      await api.setDate(date)
      const whole = {
        clientGuid: client,
        debtorGuid,
        principal: 1000,
        currencyCode: currencies[country],
        dueDate: '2026-02-01',
        ...input,
      }
      return (await registerCase(api.sql, agencyCaller, whole, contextOn(date))).caseGuid
    }
    return { client, debtorGuid, register }
  }

  async function runNights(first: number, last: number) {
    for (let day = first; day <= last; day++) {
      const date = addDays(start, day)
      await api.setDate(date)
      await runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
    }
  }

  /** Three Norwegian claims of 600, 700 and 800 kroner, demanded together on the first night. */
  async function demandThree() {
    const opened = await open('NO')
    const cases: string[] = []
    for (const principal of [600, 700, 800]) cases.push(await opened.register({ ...notified, principal }))
    await runNights(0, 0)
    const [group] = await readers.findGroups(opened.debtorGuid)
    return { ...opened, cases, reference: group!.reference }
  }

  const setDemand = (caseGuid: string, body: object, token = api.token) =>
    api.call<{ errors?: Record<string, string[]> }>('PATCH', `/system/forms/case/demand?id=${caseGuid}`, {
      body,
      token,
    })
  async function reviewLaw(): Promise<void> {
    const runner = await runJobs(api)
    const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/law-review')
    assert.equal((await waitForJob(api, body.jobId)).status, 'completed')
    await runner.stop()
  }

  return { ...readers, open, runNights, demandThree, setDemand, reviewLaw }
}
export type Demands = ReturnType<typeof makeDemands>
