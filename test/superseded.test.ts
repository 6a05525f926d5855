/** What a new build of the console keeps for a service that runs, and what a release leaves out. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const module = pathToFileURL(join(import.meta.dirname, '../bin/superseded.mjs')).href
const folder = mkdtempSync(join(tmpdir(), 'fordra-superseded-'))
after(() => rmSync(folder, { recursive: true }))

function makeBuild(name: string, assets: readonly string[]): string {
  const build = join(folder, name)
  mkdirSync(join(build, 'assets'), { recursive: true })
  for (const asset of assets) writeFileSync(join(build, 'assets', asset), `${asset} of ${name}`)
  return build
}

function run(call: string): void {
  const script = `import { keepSuperseded, dropSuperseded } from ${JSON.stringify(module)}\n${call}`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
}
const keep = (old: string, fresh: string, day: number) =>
  run(`keepSuperseded(${JSON.stringify(old)}, ${JSON.stringify(fresh)}, ${day * 86_400_000})`)
const assets = (build: string) => readdirSync(join(build, 'assets')).toSorted()

test('a build keeps the files of earlier ones for a week, and a release has none of them', () => {
  const first = makeBuild('first', ['same.js', 'first.js'])
  const second = makeBuild('second', ['same.js', 'second.js'])
  keep(first, second, 100)
  assert.deepEqual(assets(second), ['first.js', 'same.js', 'second.js'])
  assert.equal(readFileSync(join(second, 'assets', 'same.js'), 'utf8'), 'same.js of second')
  const third = makeBuild('third', ['third.js'])
  keep(second, third, 106)
  assert.deepEqual(assets(third), ['first.js', 'same.js', 'second.js', 'third.js'])
  const fourth = makeBuild('fourth', ['third.js'])
  keep(third, fourth, 108)
  assert.deepEqual(assets(fourth), ['same.js', 'second.js', 'third.js'])
  run(`dropSuperseded(${JSON.stringify(fourth)})`)
  assert.deepEqual(assets(fourth), ['third.js'])
  assert.deepEqual(readdirSync(fourth), ['assets'])
})
