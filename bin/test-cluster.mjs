#!/usr/bin/env node
// The cluster of docs/OPERATIONS.md under a load of writes: see test/cluster/failover.ts. Needs root and Debian's packages.
import { ensureDependencies, runProgram } from './bootstrap.mjs'

await ensureDependencies({ development: true })
runProgram('test/cluster/failover.ts', process.argv.slice(2))
