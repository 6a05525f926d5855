#!/usr/bin/env node
// Simulates a year of an agency in five countries and judges it by the statutes: see test/law-year/README.md.
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('test/law-year/law-year.ts', process.argv.slice(2))
