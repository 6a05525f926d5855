/** Imports and bulk actions lock in the same order as single changes: the date, cases by guid, debtors by guid, plans by guid. */
import { after, before, test } from 'node:test'
import {
  makeChanges,
  meetInPairs,
  openContention,
  type Contention,
  type Operation,
} from '../../testing/records/contended-changes.ts'
import { makeBatches, type Batches } from '../../testing/records/contended-batches.ts'

let contention: Contention
let changes: Record<string, Operation>
let batches: Batches
before(async () => {
  contention = await openContention()
  changes = await makeChanges(contention)
  batches = await makeBatches(contention)
})
after(async () => {
  batches.close()
  await contention.close()
})

test('each pair of imports and bulk actions of the same records meets no deadlock', async () => {
  const all = { ...batches.imports, ...batches.bulkActions }
  const names = Object.keys(all)
  const pairs = names.flatMap((first, index) => names.slice(index).map((second) => [first, second] as const))
  await meetInPairs(contention, all, pairs)
})

test('imports and bulk actions meet single changes without a deadlock', async () => {
  const all = { ...batches.imports, ...batches.bulkActions }
  const pairs = Object.keys(all).flatMap((batch) =>
    Object.keys(changes).map((change) => [batch, change] as const),
  )
  await meetInPairs(contention, { ...all, ...changes }, pairs)
})
