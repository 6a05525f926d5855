/** The plan and the blocks of each statement that a database's sessions run, from PostgreSQL's `auto_explain`. */

/** Settings of each session, which the address of a database may hold. */
const explaining = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

interface Explained {
  'Query Text': string
  Plan: Record<string, unknown>
}

export interface Executed {
  text: string
  /** Of 8 kB, found in memory or read. */
  blocks: number
  plan: Record<string, unknown>
}

/** The address of a database whose sessions explain each statement, and what they have executed since the last look. */
export function watchDatabase(url: string) {
  const address = new URL(url)
  for (const [name, value] of Object.entries(explaining)) address.searchParams.set(name, value)
  let executed: Executed[] = []
  const onnotice = ({ message = '' }: { message?: string | undefined }) => {
    const begin = message.indexOf('plan:\n')
    if (begin < 0) return
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(begin + 6)) as Explained
    const blocks = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    executed.push({ text, blocks, plan })
  }
  const take = (): Executed[] => {
    const taken = executed
    executed = []
    return taken
  }
  return { url: address.href, onnotice, take }
}

export const sumBlocks = (executed: readonly Executed[]): number =>
  executed.reduce((sum, { blocks }) => sum + blocks, 0)

/** The rows that a plan reads of a table. */
export const countRows = (plan: Record<string, unknown>, table: string): number =>
  ((plan['Plans'] ?? []) as Record<string, unknown>[]).reduce(
    (sum, part) => sum + countRows(part, table),
    plan['Relation Name'] === table ? Number(plan['Actual Rows']) * Number(plan['Actual Loops']) : 0,
  )
