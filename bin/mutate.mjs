#!/usr/bin/env node
// Mutation testing of the money modules: see test/mutation/README.md.
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('test/mutation/mutate.ts', process.argv.slice(2))
