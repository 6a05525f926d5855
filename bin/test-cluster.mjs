#!/usr/bin/env node
// What needs Debian's packages, and partly root: `failover` (the default) tries the cluster of docs/operate/scaling-out.md under a
// load of writes, `pooler [FILE…]` runs tests of the product through PgBouncer.
import { ensureDependencies, fail, runProgram } from './bootstrap.mjs'

const [what = 'failover', ...files] = process.argv.slice(2)
if (!['failover', 'pooler'].includes(what)) fail(`There is failover and pooler, no ${what}.`)
await ensureDependencies({ development: true })
runProgram(`test/cluster/${what}.ts`, files)
