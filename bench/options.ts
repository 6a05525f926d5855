import { parseArgs } from 'node:util'

export interface BenchOptions {
  debtors: number
  /** Cases of each debtor, where the suite takes any number. */
  perDebtor: number
  /** Of one measurement. */
  seconds: number
  rounds: number
  /** Of what is drawn at random. */
  seed: number
  concurrency: number[]
  /** Of a sandbox. */
  nights: number
  /** Names of scenarios, or their beginnings; all without. */
  only: string[]
  /** File for the figures as JSON. */
  json: string | undefined
  /** Leave the database of this run, to look into it. */
  keep: boolean
  /** Only print the plans of the statements. */
  explain: boolean
  /** Folder for processor profiles of the product's server. */
  profile: string | undefined
}

export const benchUsage = `npm run bench -- [options]          measure the running service against its ceilings
npm run bench -- import [options]   measure the imports of debtors and cases against a bare COPY
npm run bench -- access [options]   measure restricted lists and refused sign-ins
npm run bench -- finding [options]  measure the search, lookups and the filter on a custom field over HTTP
npm run bench -- cases [options]    measure D5 and D6 on three cases for each debtor
npm run bench -- payments [options]       measure payments on three cases for each debtor
npm run bench -- accrual [options]  measure the accrual of all cases against a bare UPDATE
npm run bench -- plans              measure payment plans, without a database
npm run bench -- stored-plans [options]   measure plans calculated, stored and checked at the day's end
npm run bench -- strategies [options]     measure nights of collection strategies
npm run bench -- forward [options]        measure nights of a sandbox with three cases for each debtor
npm run bench -- payment-file [options]   measure a camt.054 with a payment on each debtor's case
npm run bench -- jobs [options]     measure jobs, webhooks and what an event adds
npm run bench -- overload [options]    measure what is answered when five times the peak arrives
npm run bench -- processes [options]   compare one server process with two on one database
npm run bench -- console-list [options]   measure the console's list of debtors in Chromium
npm run bench -- odata [options]       read the whole list of debtors by OData
npm run bench -- drawn [options]       draw scenarios at random, beside a hand-written server and pgbench
npm run bench -- growth [options]      count the blocks that drawn requests read on a tenth of the debtors and on all

  --debtors <n>         debtors in the database (100000)
  --per-debtor <n>      cases of each debtor, of strategies (1)
  --seconds <n>         length of one measurement (5)
  --rounds <n>          measurements of each, alternating (3)
  --seed <n>            seed of what is drawn (1)
  --concurrency <list>  connections (1,16,64)
  --nights <n>          nights of a sandbox (30)
  --only <names>        scenarios whose names begin so, separated by commas
  --json <file>         write the figures as JSON too
  --keep                keep this run's copy of the database
  --explain             print the plans of the statements in place of measuring
  --profile <folder>    write a processor profile of the product's server`

const flags = {
  debtors: { type: 'string', default: '100000' },
  'per-debtor': { type: 'string', default: '1' },
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '1,16,64' },
  nights: { type: 'string', default: '30' },
  only: { type: 'string', default: '' },
  json: { type: 'string' },
  keep: { type: 'boolean', default: false },
  explain: { type: 'boolean', default: false },
  profile: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** Returns null where the usage is wanted. Throws an Error naming the option that is wrong. */
export function readOptions(args: string[]): BenchOptions | null {
  const { values } = parseArgs({ args, options: flags })
  if (values.help) return null
  return {
    debtors: readNumber('debtors', values.debtors, 1000, 1_000_000),
    perDebtor: readNumber('per-debtor', values['per-debtor'], 1, 20),
    seconds: readNumber('seconds', values.seconds, 1, 600),
    rounds: readNumber('rounds', values.rounds, 1, 99),
    seed: readNumber('seed', values.seed, 1, 999_999_999),
    concurrency: values.concurrency.split(',').map((text) => readNumber('concurrency', text, 1, 200)),
    nights: readNumber('nights', values.nights, 1, 3660),
    only: values.only.split(',').filter((name) => name !== ''),
    json: values.json,
    keep: values.keep,
    explain: values.explain,
    profile: values.profile,
  }
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Error(`--${name} ${text} is not within range: expected a whole number from ${least} to ${most}.`)
}
