#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies, root, runProgram } from './bootstrap.mjs'
import { ensureConsole } from './console.mjs'

const args = process.argv.slice(2)
// A released package is compiled, has its console, and npm has installed what it needs.
if (existsSync(join(root, 'cli', 'main.js'))) runProgram('cli/main.js', args)
else {
  await ensureDependencies({ development: false })
  if (args[0] === 'start') ensureConsole()
  runProgram('cli/main.ts', args)
}
