/** The demo agency: fictional clients and one user per role, with publicly known passwords. */
import { userRoles, type UserRole } from '../../../contract/access/access.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { insertParty, recordParty } from './parties.store.ts'
import { noUser } from './users.rules.ts'
import { insertUser } from './users.store.ts'

/** The clients, each with its sub-parties. */
const clients = [
  {
    code: 'NORDKRAFT',
    name: 'Nordkraft Energi AB',
    below: [
      ['NORDKRAFT-NO', 'Nordkraft Energi AS'],
      ['NORDKRAFT-FI', 'Nordkraft Energia Oy'],
    ],
  },
  { code: 'STADSHEM', name: 'Stadshem Bostäder AB', below: [] },
  { code: 'KLARTELE', name: 'Klartele ApS', below: [['KLARTELE-DE', 'Klartele GmbH']] },
] as const

interface DemoUser {
  userRole: UserRole
  name: string
  party: string
}

const demoUsers: readonly DemoUser[] = [
  { userRole: 2, name: 'admin', party: 'AGENCY' },
  { userRole: 3, name: 'handler', party: 'AGENCY' },
  { userRole: 4, name: 'sales', party: 'AGENCY' },
  { userRole: 5, name: 'reader', party: 'AGENCY' },
  { userRole: 14, name: 'collector', party: 'AGENCY' },
  { userRole: 1, name: 'server', party: 'AGENCY' },
  { userRole: 6, name: 'ceo', party: 'NORDKRAFT' },
  { userRole: 7, name: 'economy', party: 'NORDKRAFT' },
  { userRole: 8, name: 'invoices', party: 'NORDKRAFT-NO' },
  { userRole: 9, name: 'creditor', party: 'KLARTELE' },
  { userRole: 10, name: 'objects', party: 'STADSHEM' },
  { userRole: 11, name: 'contact', party: 'STADSHEM' },
  { userRole: 12, name: 'reports', party: 'KLARTELE' },
  { userRole: 13, name: 'trust', party: 'KLARTELE-DE' },
]

export interface DemoLogin {
  role: string
  login: string
  password: string
}

const demoLogin = ({ name }: DemoUser) => `${name}@demo.example`
const demoPassword = ({ name }: DemoUser) => `demo-password-${name}`

export const demoLogins: readonly DemoLogin[] = demoUsers.map((user) => ({
  role: `${user.userRole} ${userRoles[user.userRole]}`,
  login: demoLogin(user),
  password: demoPassword(user),
}))

/** Inserts clients and users below the agency. */
export async function insertDemoAgency(tx: Db, agencyId: string, origin: Origin): Promise<void> {
  const parties = new Map([['AGENCY', agencyId]])
  const notes: Change[] = []
  const add = async (referenceCode: string, name: string, above: string) => {
    const guid = await insertParty(tx, { referenceCode, name, parentId: parties.get(above)! })
    parties.set(referenceCode, guid)
    const record = { partyReferenceCode: referenceCode, name, parentPartyReferenceCode: above }
    notes.push(recordParty(guid, record))
  }
  for (const { code, name, below } of clients) {
    await add(code, name, 'AGENCY')
    for (const [subCode, subName] of below) await add(subCode, subName, code)
  }
  await insertRecords(tx, toRecords(origin, notes))
  const hashes = await Promise.all(demoUsers.map((user) => hashPassword(demoPassword(user))))
  for (const [index, user] of demoUsers.entries()) {
    const record = {
      ...noUser,
      userCode: user.name,
      email: demoLogin(user),
      fullName: `Demo ${user.name[0]!.toUpperCase()}${user.name.slice(1)}`,
      userRole: user.userRole,
      languageCode: 'en',
    }
    await insertUser(tx, { partyId: parties.get(user.party)!, record, passwordHash: hashes[index]! }, origin)
  }
}
