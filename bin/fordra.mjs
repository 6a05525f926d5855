#!/usr/bin/env node
import { ensureDependencies, runProgram } from './bootstrap.mjs'
import { ensureConsole } from './console.mjs'

await ensureDependencies({ development: false })
const args = process.argv.slice(2)
if (args[0] === 'start') ensureConsole()
runProgram('cli/main.ts', args)
