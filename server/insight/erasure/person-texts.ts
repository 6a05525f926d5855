/** By which texts of the audit trail a bank file may name a debtor who is erased. */
import { personalDataTypes } from '../../../contract/metadata/fields.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { PersonTexts } from '../../treasury/held-files/find-person.ts'
import { listErasedTexts } from './erase-traces.store.ts'
import { findPersonalMembers } from './personal-members.ts'

/** Call it before the trail is erased. Only texts of the kinds that are erased count. */
export async function listPersonTexts(
  tx: Db,
  debtorGuid: string,
  kinds: readonly number[],
): Promise<PersonTexts> {
  const read = (entity: 'debtor' | 'address', personal: readonly string[]) =>
    listErasedTexts(tx, { subjects: [debtorGuid], entity, personal, plain: [] })
  const { identity, contact, name } = personalDataTypes
  const numberKinds = [identity, contact].filter((kind) => kinds.includes(kind))
  const numbers = await read('debtor', findPersonalMembers('debtor', numberKinds, []).personal)
  if (!kinds.includes(name)) return { names: [], numbers }
  const firsts = await read('debtor', ['firstname'])
  const lasts = await read('debtor', ['lastname'])
  const whole = [...(await read('debtor', ['fullName'])), ...(await read('address', ['fullName']))]
  return { names: [...whole, ...firsts.flatMap((first) => lasts.map((last) => `${first} ${last}`))], numbers }
}
