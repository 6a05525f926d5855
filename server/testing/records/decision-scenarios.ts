/** What the scenarios of published decisions share: a claim on a day, nights of the default strategy, and what was done. */
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { registerCase } from '../../cases/register-case.ts'
import { applyStrategies } from '../../collection/strategies/apply-strategies.ts'
import { assignStrategy } from '../../collection/strategies/strategies.store.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import type { TestApi } from '../api.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from './cases.ts'

export const start = '2026-03-02'
const currencies = { SE: 'SEK', FI: 'EUR', NO: 'NOK', DK: 'DKK', DE: 'EUR' }

export interface Opened {
  debtorGuid: string
  caseGuid: string
}

export function makeScenarios(api: TestApi) {
  let clients = 0

  /** A case that fell due in January, of a client with the default strategy. */
  async function open(
    country: keyof typeof currencies,
    input: object = {},
    debtor: object = {},
  ): Promise<Opened> {
    await api.setDate(start)
    const client = await api.addParty(`DECISION${++clients}`)
    await setTerms(api, client, { country_code: country })
    await assignStrategy(api.sql, client, 'NORDIC')
    const debtorGuid = await makeDebtor(api, debtor)
    const whole = {
      clientGuid: client,
      debtorGuid,
      principal: 1000,
      currencyCode: currencies[country],
      dueDate: '2026-01-02',
      ...input,
    }
    const { caseGuid } = await registerCase(api.sql, agencyCaller, whole, contextOn(start))
    return { debtorGuid, caseGuid }
  }

  async function runNights(nights: number) {
    for (let night = 0; night < nights; night++) {
      const date = addDays(start, night)
      await api.setDate(date)
      await runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
    }
  }

  const letters = async ({ caseGuid }: Opened) =>
    (
      await api.sql<{ kind: string }[]>`select kind from document where case_id = ${caseGuid} order by id`
    ).map(({ kind }) => kind)
  const reason = async ({ debtorGuid, caseGuid }: Opened, action: string) => {
    const { body } = await api.call<CasePermissions>(
      'GET',
      `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
    )
    return body.actions.find((one) => one.action === action)!.reasonCode
  }
  const object = (caseGuid: string, words: string) =>
    api.call('POST', `/system/forms/objection/create?id=${caseGuid}`, {
      body: { matter: 'OBJECTION', reason: words },
    })
  const addFee = (caseGuid: string, body: object) =>
    api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body })
  const write = ({ debtorGuid, caseGuid }: Opened, body: object) =>
    api.call('POST', `/debtors/${debtorGuid}/letters`, { body: { caseGuid, ...body } })

  return { open, runNights, letters, reason, object, addFee, write }
}

export type Scenarios = ReturnType<typeof makeScenarios>
