#!/usr/bin/env node
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('server/testing/write-schema.ts', [])
