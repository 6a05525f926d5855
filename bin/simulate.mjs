#!/usr/bin/env node
// Simulates the service with faults that a seed chooses: see test/simulate/README.md.
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('test/simulate/simulate.ts', process.argv.slice(2))
