#!/usr/bin/env node
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: false })
runProgram('cli/main.ts', process.argv.slice(2))
