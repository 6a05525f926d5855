/** Makes every case of a sandbox follow one strategy, to see what it would do. */
import { assignStrategy } from '../../../collection/strategies/strategies.store.ts'
import { findAgency } from '../../../access/users/parties.store.ts'
import { BackupRefused } from '../../../platform/backups/archive.ts'
import type { Db } from '../../../platform/database/transaction.ts'

export interface NamedStrategy {
  code: string
  name: string
}

/** Finds a strategy by code or name, in upper or lower case. Throws a BackupRefused that lists the codes. */
export async function requireStrategy(db: Db, wanted: string): Promise<NamedStrategy> {
  const all = await db<NamedStrategy[]>`select code, name from strategy order by code`
  const same = (text: string) => text.toLowerCase() === wanted.trim().toLowerCase()
  const byCode = all.find(({ code }) => same(code))
  const byName = all.filter(({ name }) => same(name))
  if (byCode) return byCode
  if (byName.length === 1) return byName[0]!
  throw new BackupRefused(
    `There is no${byName.length > 1 ? ' single' : ''} strategy ${wanted}. The sandbox has ${all.map(({ code }) => code).join(', ') || 'none'}.`,
  )
}

/** Removes the clients' own strategies and the cases of trials, so that every case follows this one. */
export async function setStrategy(db: Db, { code }: NamedStrategy): Promise<void> {
  const agency = await findAgency(db)
  if (agency === undefined) throw new BackupRefused('The sandbox has no agency.')
  await db`update party set strategy_id = null where strategy_id is not null`
  await db`delete from trial_case`
  await assignStrategy(db, agency, code)
}
