/** The service in this process, and the plan with blocks of each statement that a request runs, from `auto_explain`. */
import { basePath } from '../../contract/api.ts'
import { createApp, type App } from '../../server/app.ts'
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { watchDatabase, type Executed } from '../../server/testing/watched-database.ts'

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
  const { url: address, onnotice, take } = watchDatabase(url)
  const sql = openDatabase(address, { max: 8, onnotice })
  const lists = openDatabase(address, { max: 2, planEach: true, onnotice })
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
      take()
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
      return { status: response.status, body: answer, executed: take() }
    },
    close: async () => {
      await app.close()
      await Promise.all([sql.end({ timeout: 5 }), lists.end({ timeout: 5 })])
    },
  }
}
