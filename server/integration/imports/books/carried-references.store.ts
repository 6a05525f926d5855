/** References of debtors that come from another installation and stay as they were. */
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'

/** So far beyond the last number that was given a reference may be. */
const furthest = 5_000_000

/** The number in a reference, without its check digit. */
const numberIn = (reference: string): number => Number(reference.slice(0, -1))

/** Why each reference cannot be taken, or null. */
export async function findReferenceFaults(
  tx: Db,
  references: readonly (string | null)[],
): Promise<(string | null)[]> {
  const given = references.filter((one) => one !== null)
  if (given.length === 0) return references.map(() => null)
  const rows = await tx<{ reference: string }[]>`
    select debtor_reference as reference from debtor where debtor_reference = any(${given}::text[])`
  const taken = new Set(rows.map(({ reference }) => reference))
  const last = await findLast(tx)
  return references.map((one) => {
    if (one === null) return null
    if (taken.has(one)) return 'belongs to another debtor.'
    taken.add(one)
    return numberIn(one) > last + furthest ? 'is too far beyond the references given so far.' : null
  })
}

async function findLast(tx: Db): Promise<number> {
  const [row] = await tx<{ last: number }[]>`select last_value::float8 as last from debtor_reference_number`
  return row!.last
}

/** Later debtors get higher numbers than these references have. Numbers that nobody gets leave a gap. */
export async function passReferences(tx: Db, references: readonly (string | null)[]): Promise<void> {
  const numbers = references.flatMap((one) => (one === null ? [] : numberIn(one)))
  if (numbers.length === 0) return
  const steps = numbers.reduce((most, one) => Math.max(most, one)) - (await findLast(tx)) + 1
  if (steps > 0)
    await runStatement(
      tx,
      `select count(nextval('debtor_reference_number')) from generate_series(1, $1::int)`,
      [steps],
    )
}
