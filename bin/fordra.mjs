#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies, root, runProgram } from './bootstrap.mjs'
import { isConsoleBuilt } from './console.mjs'

const args = process.argv.slice(2)
// A released package is compiled, has its console, and npm has installed what it needs.
if (existsSync(join(root, 'cli', 'main.js'))) runProgram('cli/main.js', args)
else {
  await ensureDependencies({ development: false })
  // The command builds it: a start that is refused changes nothing.
  const isToBuild = args[0] === 'start' && !isConsoleBuilt()
  runProgram('cli/main.ts', args, isToBuild ? { CONSOLE_BUILD: join(root, 'bin', 'build-console.mjs') } : {})
}
