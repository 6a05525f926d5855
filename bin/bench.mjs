#!/usr/bin/env node
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('bench/start.ts', process.argv.slice(2))
