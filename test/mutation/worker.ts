/**
 * A process that runs test files against one mutant after another. The mutated module and all that import it are loaded
 * anew for each mutant, under a query of its own; everything else stays loaded and warm. Files are never written.
 */
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The sources to serve in place of files, by path. Sent once, at the start. */
export type Sources = Record<string, string>

export interface Run {
  /** Tells this mutant's modules from those of others. */
  mutant: number
  file: string
  source: string
  /** The modules to load anew: the mutated one and all that import it. */
  fresh: string[]
  testFile: string
  /** A test that takes more steps than this never ends. */
  mostSteps: number
}

export interface Outcome {
  status: 'passed' | 'failed' | 'endless'
  /** The test that failed, with what it said. */
  failure?: string
  steps: number
  /** The numbers of the functions that were called. */
  called: number[]
}

interface Test {
  name: string
  run: () => unknown
}

class Endless extends Error {}

let tests: Test[] = []
let steps = 0
let most = 0
let endless = false
let called = new Set<number>()
let run: Run | undefined
let sources: Sources = {}
const plain = new Map<string, string>()
const milliseconds = new Map<string, number>()

Object.assign(globalThis, {
  $step(id: number) {
    called.add(id)
    if (++steps <= most) return
    endless = true
    throw new Endless('Too many steps.')
  },
  $test: (name: string, test: () => unknown) => tests.push({ name, run: test }),
})

const runner = `export const test = globalThis.$test
export const describe = (name, define) => define()`

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test') return { url: 'mutation:node-test', shortCircuit: true }
    const found = next(specifier, context)
    const isFresh = run && found.url.startsWith('file:') && run.fresh.includes(toRelativePath(found.url))
    return isFresh ? { ...found, url: `${found.url}?mutant=${run!.mutant}` } : found
  },
  load(url, context, next) {
    if (url === 'mutation:node-test') return { format: 'module', source: runner, shortCircuit: true }
    const path = url.startsWith('file:') ? toRelativePath(url) : ''
    if (!path.startsWith('core/') || !path.endsWith('.ts')) return next(url, context)
    const source = path === run?.file ? run.source : (sources[path] ?? readPlain(path))
    return { format: 'module', source, shortCircuit: true }
  },
})

const toRelativePath = (url: string): string => relative(process.cwd(), fileURLToPath(url.split('?')[0]!))

function readPlain(path: string): string {
  const text = plain.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'))
  plain.set(path, text)
  return text
}

// The same cases in every run, and none made smaller: a failure is all there is to know.
fc.configureGlobal({ seed: 19_650_805, endOnFailure: true })

async function runFile(given: Run): Promise<Outcome> {
  run = given
  tests = []
  called = new Set()
  endless = false
  most = given.mostSteps
  let mostTaken = 0
  const attempt = async (name: string, act: () => unknown): Promise<string | undefined> => {
    steps = 0
    const start = performance.now()
    try {
      await act()
      milliseconds.set(name, performance.now() - start)
    } catch (error) {
      return `${name}: ${String(error).slice(0, 200)}`
    } finally {
      mostTaken = Math.max(mostTaken, steps)
    }
    return endless ? name : undefined
  }
  const url = `${pathToFileURL(given.testFile).href}?mutant=${given.mutant}`
  let failure = await attempt(given.testFile, () => import(url))
  const time = ({ name }: Test) => milliseconds.get(`${given.testFile} ${name}`) ?? 0
  for (const test of tests.toSorted((a, b) => time(a) - time(b))) {
    if (failure !== undefined) break
    failure = await attempt(`${given.testFile} ${test.name}`, test.run)
  }
  const status = endless ? 'endless' : failure === undefined ? 'passed' : 'failed'
  return { status, ...(failure !== undefined && { failure }), steps: mostTaken, called: [...called] }
}

process.on('message', (message: { sources: Sources } | { run: Run }) => {
  if ('sources' in message) sources = message.sources
  else void runFile(message.run).then((outcome) => process.send!(outcome))
})
