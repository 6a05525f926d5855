/** Fills the tables of an empty database with the rows of another, all or nothing. */
import type { Db } from '../database/transaction.ts'
import type { TransactionSql } from '../database/driver/sql.ts'
import { BackupRefused, quoteName, schemas, type Manifest, type TableColumns } from './archive.ts'

export async function requireEmpty(db: Db): Promise<void> {
  const [found] = await db<{ any: boolean }[]>`
    select exists (select from app_user) or exists (select from debtor) or exists (select from debt_case) as any`
  if (found!.any)
    throw new BackupRefused(
      'This database already holds users or debtors, which are never overwritten. Use a new one: another folder, or ' +
        'an empty database.',
    )
}

/**
 * Empties the tables, calls `load`, which fills them, and sets the sequences. Triggers do not run. References are checked
 * at the end. `onCheck` receives the share of references that are checked.
 */
export async function replaceRows(
  tx: TransactionSql,
  tables: readonly TableColumns[],
  {
    load,
    sequences,
    onCheck,
  }: {
    load: () => Promise<void>
    sequences: () => Manifest['sequences']
    onCheck?: (share: number) => void
  },
): Promise<void> {
  const foreignKeys = await dropForeignKeys(tx)
  const names = tables.map(({ table }) => quoteName(table))
  // Triggers would count and derive again what the rows already hold.
  for (const name of names) await tx.unsafe(`alter table ${name} disable trigger user`)
  await tx.unsafe(`truncate ${names.join(', ')}`)
  await load()
  for (const { sequence, lastValue, isCalled } of sequences())
    await tx`select setval(${quoteName(sequence)}, ${lastValue}::bigint, ${isCalled})`
  for (const name of names) await tx.unsafe(`alter table ${name} enable trigger user`)
  for (const [index, { table, name, definition }] of foreignKeys.entries()) {
    onCheck?.(index / foreignKeys.length)
    await tx.unsafe(`alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`)
  }
  await releaseJobs(tx)
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * They are created again at the end, which checks every row. No order of tables works for tables that reference each
 * other.
 */
async function dropForeignKeys(tx: TransactionSql): Promise<ForeignKey[]> {
  const keys = await tx<ForeignKey[]>`
    select n.nspname || '.' || c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname = any(${schemas}::text[]) order by 1, 2`
  for (const { table, name } of keys)
    await tx.unsafe(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`)
  return [...keys]
}

/** Releases jobs that were running when the rows were read. Otherwise the queue would wait for them for hours. */
async function releaseJobs(tx: TransactionSql): Promise<void> {
  await tx`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null`
  await tx`
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`
}
