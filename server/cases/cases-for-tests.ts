/** What the tests of cases share. */
import { allAccessCodes } from '../../contract/access.ts'
import type { Caller } from '../http/caller.ts'
import type { TestApi } from '../testing/api.ts'

/** Somebody of the agency who may do everything. */
export const agencyCaller: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 2,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

export async function makeDebtor(api: TestApi, body: object = {}): Promise<string> {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Gäldenär', ...body },
  })
  return made.body.debtorGuid
}

export async function setTerms(api: TestApi, party: string, columns: Record<string, unknown>): Promise<void> {
  await api.sql`update party set ${api.sql(columns as never)} where id = ${party}`
}
