import * as contract from '../../../contract/metadata/system.ts'
import { datePart } from '../../../core/calendar/date-time.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import { done, invalid, writeDay } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'

/** The subject of these events: the installation itself. */
const installation = '00000000-0000-0000-0000-000000000000'

const [first, last] = ['1900-01-01', '2199-12-31']

export function serveSystemDate(service: ServerContext): void {
  const { clock } = service

  serve(service, contract.setSystemDate, async ({ body, caller, origin, path }) => {
    const date = body.systemDate ? datePart(body.systemDate) : null
    if (date !== null && (date < first || date > last))
      throw invalid({
        systemDate: [
          `must be a date from ${writeDay(first, caller.language)} to ${writeDay(last, caller.language)}, or null for the real one.`,
        ],
      })
    await clock.setDate(date, async (tx, { from, to }) => {
      const [row] = await tx<{ sequence: number }[]>`
        update business_clock set event_sequence = event_sequence + 1 returning event_sequence as sequence`
      const change: Change = {
        type: 'systemdate.set',
        entityId: installation,
        subject: installation,
        sequence: row!.sequence,
        data: { from, to },
        changes: { systemDate: [from, to] },
      }
      await insertRecords(tx, toRecords(origin, [change]))
    })
    const said = date === null ? `the real date again: ${clock.today()}` : clock.today()
    return { body: done(`The system date is ${said}.`, path) }
  })
}
