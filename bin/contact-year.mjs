#!/usr/bin/env node
// Simulates a year of contacts with debtors and judges each of them: see test/contact-year/README.md.
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('test/contact-year/contact-year.ts', process.argv.slice(2))
