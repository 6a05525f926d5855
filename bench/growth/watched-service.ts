/** The service in this process, and the plan with blocks of each statement that a request runs, from `auto_explain`. */
import { basePath } from '../../contract/api.ts'
import { createApp, type App } from '../../server/app.ts'
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase } from '../../server/platform/database/database.ts'

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

export interface Answer {
  status: number
  body: Record<string, unknown>
  executed: Executed[]
}

export interface WatchedService {
  app: App
  /** One request at a time: what is executed meanwhile is taken for its. */
  ask(request: { method: string; path: string; body?: unknown; token: string }): Promise<Answer>
  close(): Promise<void>
}

export async function openWatchedService(url: string, folder: string): Promise<WatchedService> {
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
  const sql = openDatabase(address.href, { max: 8, onnotice })
  const lists = openDatabase(address.href, { max: 2, planEach: true, onnotice })
  const settings = readSettings({
    FORDRA_LOG_LEVEL: '0',
    FORDRA_RATE_LIMIT: '0',
    PORT: '0',
    FORDRA_ANCHOR: folder,
  })
  const app = await createApp(sql, settings, lists)
  const origin = await app.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    ask: async ({ method, path, body, token }) => {
      executed = []
      const response = await fetch(origin + basePath + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const answer = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
      return { status: response.status, body: answer, executed }
    },
    close: async () => {
      await app.close()
      await Promise.all([sql.end({ timeout: 5 }), lists.end({ timeout: 5 })])
    },
  }
}
