/** What the tasks of a day begin with: twenty debtors with a case each, of one client. */
import assert from 'node:assert/strict'
import { runJobs } from '../../../server/testing/jobs.ts'
import { password, startConsole, type ConsoleTest } from '../browser.ts'

export const date = '2026-06-15'

export interface MadeCase {
  caseGuid: string
  caseNumber: string
  debtorGuid: string
}

export interface Day {
  tested: ConsoleTest
  clientGuid: string
  /** By the debtor's last name. */
  cases: Record<string, MadeCase>
  post: (path: string, body: object) => Promise<Record<string, string>>
  close: () => Promise<void>
}

const names = ['Lindqvist', 'Björklund', 'Nyström', 'Åkesson', ...'ABCDEFGHIJKLMNOP']

/** The service on that day, with a user of the login who may do all of it. */
export async function startDay(login: string): Promise<Day> {
  const tested = await startConsole()
  const { api } = tested
  const jobs = await runJobs(api)
  const post = async (path: string, body: object) => {
    const answer = await api.call<Record<string, string>>('POST', path, { body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.body
  }
  await api.setDate(date)
  await api.addUser({ email: login, password, userRole: 2 })
  const client = { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT', currencyCode: 'SEK' }
  const made = await post('/system/forms/client/create', { ...client, countryCode: 'SE' })
  const clientGuid = made['clientGuid']!
  await api.sql`update party set bank_account_no = 'SE45 5000 0000 0583 9825 7466' where parent_id is null`
  await api.sql`update party set bank_account_no = '5805-6201' where id = ${clientGuid}`
  const cases: Day['cases'] = {}
  for (const name of names) {
    const lastname = name.length > 1 ? name : `Persson ${name}`
    cases[lastname] = await addCase(post, clientGuid, lastname)
  }
  return {
    tested,
    clientGuid,
    cases,
    post,
    close: async () => {
      await jobs.stop()
      await tested.close()
    },
  }
}

async function addCase(post: Day['post'], clientGuid: string, lastname: string): Promise<MadeCase> {
  const { debtorGuid } = await post('/debtors', { firstname: 'Åsa', lastname })
  const body = { clientGuid, debtorGuid, principal: 1200, currencyCode: 'SEK', dueDate: '2026-02-28' }
  const { caseGuid, caseNumber } = await post('/system/forms/case/register', body)
  return { caseGuid: caseGuid!, caseNumber: caseNumber!, debtorGuid: debtorGuid! }
}

/** Somebody wrote that the calls at work have to stop. */
export const addObjection = ({ post }: Day, { caseGuid }: MadeCase) =>
  post(`/system/forms/objection/create?id=${caseGuid}`, {
    matter: 'COMPLAINT',
    kind: 'CONDUCT',
    receivedDate: date,
    reason: 'You call at work.',
  })

/** Makes the case due today, with what to do, for a user or for nobody. */
export async function makeDue({ tested, post }: Day, made: MadeCase, task: string, login?: string) {
  const { caseGuid } = made
  if (login !== undefined) {
    const [user] = await tested.api.sql<{ id: string }[]>`select id from app_user where email = ${login}`
    await post('/work/assignments', { caseGuids: [caseGuid], ownerGuid: user!.id })
  }
  const body = { nextAction: task, nextActionDate: `${date}T00:00:00Z` }
  const { status, text } = await tested.api.call('PUT', `/cases/${caseGuid}/nextaction`, { body })
  assert.ok(status < 300, text)
}

/** Books a bank file with a payment that names the case in its message alone. */
export async function sendBankFile({ tested }: Day, { caseNumber }: MadeCase): Promise<void> {
  const { api } = tested
  await api.call('POST', '/payment-files?fileName=bgmax.txt', {
    raw: bankFile(caseNumber)
      .map((line) => line.padEnd(80))
      .join('\r\n'),
    headers: { 'content-type': 'application/octet-stream' },
  })
  while ((await api.sql`select from suspense`).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** In BgMax. */
const bankFile = (caseNumber: string) => [
  '01BGMAX               0120260615173035010331P',
  '050009912346          SEK',
  '200003783511                         000000000000045600020000000000010',
  `25Avser ${caseNumber}`,
  '26Åsa Björklund',
  '15000000000000000000058410000010098232026061500074000000000000045600SEK00000001',
  '7000000001000000000000000000000001',
]
