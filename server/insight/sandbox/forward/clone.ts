/** Clones of a sandbox beside it, on the same database server. */
import { BackupRefused } from '../../../platform/backups/archive.ts'
import { openDatabase, withDatabaseName } from '../../../platform/database/database.ts'
import type { Sql } from '../../../platform/database/driver/pool.ts'

const cloneMark = 'Clone of a Fordra sandbox for a comparison'
/** Held in the sandbox while it is compared. */
const compareLock = 7_240_063

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Makes two clones of the same moment, and drops them after the work. `url` leads to the sandbox itself, to which nobody else
 * may be connected. Clones that an interrupted comparison left behind are replaced.
 */
export async function inClones<T>(url: string, work: (urls: [string, string]) => Promise<T>): Promise<T> {
  // One connection: it holds the lock, and PostgreSQL copies a database that has no other one.
  const source = openDatabase(url, { max: 1, applicationName: 'fordra sandbox compare' })
  const made: string[] = []
  try {
    const [row] = await source<{ name: string; isHeld: boolean }[]>`
      select left(current_database(), 40) as name, pg_try_advisory_lock(${compareLock}) as "isHeld"`
    if (!row!.isHeld) throw new BackupRefused('This sandbox is being compared already. Wait for its end.')
    const urls: string[] = []
    for (const letter of ['a', 'b']) {
      const name = `${row!.name}_compare_${letter}`
      await cloneDatabase(source, name)
      made.push(name)
      urls.push(withDatabaseName(url, name))
    }
    return await work([urls[0]!, urls[1]!])
  } finally {
    for (const name of made) await source.unsafe(`drop database if exists ${quote(name)} with (force)`)
    await source.end({ timeout: 5 })
  }
}

async function cloneDatabase(source: Sql, name: string): Promise<void> {
  const [old] = await source<{ mark: string | null }[]>`
    select shobj_description(oid, 'pg_database') as mark from pg_database where datname = ${name}`
  if (old && old.mark !== cloneMark)
    throw new BackupRefused(`The database ${name} is not one that a comparison made. Rename or drop it.`)
  if (old) await source.unsafe(`drop database ${quote(name)} with (force)`)
  const [own] = await source<{ name: string }[]>`select current_database() as name`
  try {
    await source.unsafe(`create database ${quote(name)} template ${quote(own!.name)}`)
  } catch (error) {
    throw explain(error)
  }
  await source.unsafe(`comment on database ${quote(name)} is '${cloneMark}'`)
}

function explain(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === '55006')
    return new BackupRefused(
      'Something is connected to the sandbox, so it cannot be cloned. Stop its server and close other connections.',
    )
  if (code === '42501')
    return new BackupRefused(
      'The database user must be allowed to create databases: alter role … createdb. Then compare again.',
    )
  return error
}
