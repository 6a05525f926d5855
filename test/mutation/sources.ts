/** The files of core/: who imports whom, and what a test file depends on. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A module as the figures count it: a folder of core/, or files of one. */
export const modules: Record<string, readonly string[]> = {
  'core/calendar': ['core/calendar/*.ts'],
  'core/cases': ['core/cases/case-lifecycle.ts', 'core/cases/retention.ts'],
  'core/interest': ['core/interest/*.ts'],
  'core/ledger': ['core/ledger/*.ts'],
  'core/limitation': ['core/limitation/*.ts'],
  'core/money': ['core/money/*.ts'],
  'core/plans': ['core/plans/**/*.ts'],
}

const isTest = (file: string) => file.endsWith('.test.ts')

export const moduleFiles = (module: string): string[] =>
  globSync([...modules[module]!])
    .filter((file) => !isTest(file))
    .toSorted()

export const coreFiles = globSync('core/**/*.ts').toSorted()
export const testFiles = coreFiles.filter(isTest)
export const sourceFiles = coreFiles.filter((file) => !isTest(file))

export const readText = (file: string): string => readFileSync(file, 'utf8')

const reference = /(?:from|import|new URL\()\s*'([^':]+\/[^':]+)'/g
const imports = new Map<string, string[]>()

function findImports(file: string): string[] {
  const known = imports.get(file)
  if (known) return known
  const found = file.endsWith('.ts')
    ? [...readText(file).matchAll(reference)]
        .map(([, path]) => join(dirname(file), path!))
        .filter((path) => existsSync(path))
    : []
  imports.set(file, found)
  return found
}

const closures = new Map<string, ReadonlySet<string>>()

/** A file and all that it imports or reads, however far away. */
export function dependenciesFrom(file: string): ReadonlySet<string> {
  const known = closures.get(file)
  if (known) return known
  const found = new Set([file])
  for (const one of found) for (const other of findImports(one)) found.add(other)
  closures.set(file, found)
  return found
}

const hashes = new Map<string, string>()

/** Changes when anything changes that a test file depends on, or the way in which it is run. */
export function hashDependencies(testFile: string): string {
  const known = hashes.get(testFile)
  if (known) return known
  const hash = createHash('sha256')
  for (const file of [...dependenciesFrom(testFile)].toSorted()) hash.update(file).update(readText(file))
  hash.update(readText('test/mutation/worker.ts'))
  const made = hash.digest('hex').slice(0, 16)
  hashes.set(testFile, made)
  return made
}
