/** The log level (S12): stored, and read by every node twice a second. */
import * as contract from '../../../contract/platform/log-level.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { done } from '../../platform/http/errors.ts'
import { setLogDetail } from '../../platform/log/log-detail.ts'
import { toLogLevel } from '../../platform/log/log.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'

const pollMs = 500
const levelUsual = 1
/** The log level is not a record, so it has no identifier. */
const installationGuid = '00000000-0000-0000-0000-000000000000'

/** Serves S12 and follows the stored level. `stop` ends the polling. */
export function serveLogLevel(service: ServerContext): { stop(): void } {
  const { app, sql } = service
  const apply = (level: number) => {
    app.log.level = toLogLevel(level)
    setLogDetail(level, app.log)
  }

  apply(service.settings.FORDRA_LOG_LEVEL)

  serve(service, contract.setLogLevel, async ({ db, body, origin, path }) => {
    const level = body.logLevel ?? levelUsual
    await inTransaction(db, async (tx) => {
      const [before] = await tx<
        { value: number }[]
      >`select value from live_setting where name = 'log-level' for update`
      await tx`
        insert into live_setting (name, value) values ('log-level', ${tx.json(level)})
        on conflict (name) do update set value = excluded.value, changed_at = now()`
      await insertAuditEntry(tx, origin, {
        entity: 'system',
        action: 'updated',
        entityId: installationGuid,
        subject: installationGuid,
        changes: { logLevel: [before?.value ?? service.settings.FORDRA_LOG_LEVEL, level] },
      })
    })
    apply(level)
    return {
      body: done(`The log level is ${level} (${toLogLevel(level)}) on every node within a second.`, path),
    }
  })

  const follow = async () => {
    const [row] = await sql<{ value: number }[]>`select value from live_setting where name = 'log-level'`
    if (row) apply(row.value)
  }
  let stopped = false
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(async () => {
      await follow().catch((error: unknown) =>
        app.log.error({ error: (error as Error).message }, 'the log level could not be read'),
      )
      if (!stopped) schedule()
    }, pollMs)
    timer.unref()
  }
  void follow().catch(() => {})
  schedule()
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
