import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { planGroups } from './plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-plan-'))
after(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const importing = (path: string) => `import { one } from '${path}'\n`
const plain = Array.from({ length: 90 }, (_, n) => write(`plain-${n}.test.ts`, importing('../money.ts')))
const service = Array.from({ length: 50 }, (_, n) =>
  write(`service-${n}.test.ts`, importing('../testing/api.ts')),
)
const alone = write(
  'alone.test.ts',
  `// Own process: it changes the clock.\n${importing('../testing/api.ts')}`,
)
const files = [alone, ...plain, ...service]
const planFiles = (seed: number) => planGroups(files, { seed, processes: 2 }).map((group) => group.files)

test('every file is in one group', () => {
  assert.deepEqual(planFiles(1).flat().toSorted(), files.toSorted())
})

test('a group has files of one kind, and a file with a process of its own is alone and first', () => {
  const groups = planFiles(1)
  assert.deepEqual(groups[0], [alone])
  for (const group of groups.slice(1)) {
    const isPlain = group.map((file) => plain.includes(file))
    assert.equal(new Set(isPlain).size, 1)
    assert.ok(group.length <= (isPlain[0] ? 40 : 20))
  }
})

test('files that start programs run first, and plain ones last', () => {
  const programs = [write('programs.test.ts', importing('./run-fordra.ts'))]
  const groups = planGroups([...plain, ...service, ...programs], { seed: 1, processes: 2 })
  const kinds = groups.map(({ name }) => name.split(' ')[0]!)
  assert.deepEqual([...new Set(kinds)], ['programs', 'service', 'plain'])
})

test('the seed decides the order, whatever the order of the names', () => {
  assert.deepEqual(planFiles(5), planFiles(5))
  assert.deepEqual(
    planGroups(files.toReversed(), { seed: 5, processes: 2 }).map((one) => one.files),
    planFiles(5),
  )
  assert.notDeepEqual(planFiles(5), planFiles(6))
})

test('few files are divided among all processes', () => {
  const groups = planGroups(plain.slice(0, 4), { seed: 1, processes: 2 })
  assert.deepEqual(
    groups.map((group) => group.files.length),
    [2, 2],
  )
})
