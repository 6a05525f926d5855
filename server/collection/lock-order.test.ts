/** All changes lock in one order: the date, cases by guid, debtors by guid, plans by guid. So none of them meet in a deadlock. */
import { after, before, test } from 'node:test'
import {
  makeChanges,
  meetInPairs,
  openContention,
  type Contention,
} from '../testing/records/contended-changes.ts'

let contention: Contention
before(async () => {
  contention = await openContention()
})
after(() => contention.close())

test('each pair of changes of the same debtors and cases meets no deadlock', async () => {
  const changes = await makeChanges(contention)
  const names = Object.keys(changes)
  const pairs = names.flatMap((first, index) => names.slice(index).map((second) => [first, second] as const))
  await meetInPairs(contention, changes, pairs)
})
