import * as layout from '../../../contract/metadata/forms/system.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { changeSchedule, createSchedule, removeSchedule } from './schedules.changes.ts'
import { findSchedule } from './schedules.store.ts'

export const scheduleForms = ({ settings }: ServerContext): FormHandler[] => {
  const timeZone = settings.FORDRA_TIME_ZONE
  return [
    handle(layout.scheduleCreate, {
      defaults: () => ({ enabled: true, argument: [] }),
      create: async ({ db, body, origin }) => {
        const id = await createSchedule(db, body, { origin, timeZone })
        return { record: (await findSchedule(db, id))!, version: 1 }
      },
    }),
    handle(layout.scheduleEdit, {
      find: async ({ db, id }) => {
        const schedule = await findSchedule(db, id)
        if (!schedule) throw notFound('schedule')
        return { record: schedule, version: schedule.version }
      },
      store: ({ db, id, body, origin, ifMatch }) =>
        changeSchedule(db, id, body, { origin, timeZone }, ifMatch),
      remove: ({ db, id, origin, ifMatch }) => removeSchedule(db, id, origin, ifMatch),
    }),
  ]
}
