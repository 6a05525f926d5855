/** No file imports itself through others. An import of a type counts too: a reader follows it as any other. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const rooms = ['bench', 'bin', 'cli', 'client', 'console', 'contract', 'core', 'server', 'services', 'test']

function sourceFiles(): string[] {
  return rooms
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
    )
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path))
}

function importedFiles(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)
  return [...found]
    .map(([, path]) => normalize(join(dirname(file), path!)))
    .filter((path) => existsSync(path))
}

/**
 * Groups of files that can all reach each other: the strongly connected components with more than one file (Tarjan),
 * and each file that imports itself.
 */
function findCircles(importsByFile: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    open.push(file)
    for (const target of importsByFile.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || importsByFile.get(file)?.includes(file)) circles.push(group.toSorted())
  }
  for (const file of importsByFile.keys()) if (!order.has(file)) visit(file)
  return circles.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1))
}

test('the search finds circles of one, two and three files, and nothing else', () => {
  const imports = new Map([
    ['alone', ['alone', 'leaf']],
    ['first', ['second', 'leaf']],
    ['second', ['first']],
    ['one', ['two', 'first']],
    ['two', ['three', 'leaf']],
    ['three', ['one']],
    ['root', ['one', 'leaf']],
    ['leaf', []],
  ])
  assert.deepEqual(findCircles(imports), [['alone'], ['first', 'second'], ['one', 'three', 'two']])
})

test('no file imports itself through others', () => {
  const imports = new Map(sourceFiles().map((file) => [file, importedFiles(file)]))
  assert.ok(imports.size > 900, `${imports.size} source files found`)
  assert.ok([...imports.values()].flat().length > 3000, 'imports are found')
  assert.deepEqual(findCircles(imports), [])
})
