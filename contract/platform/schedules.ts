/** Schedules: system commands (S11) that run automatically. The form `schedule` creates and changes them. */
import { Type, type Static } from 'typebox'
import {
  dateTime,
  flag,
  guid,
  inputSchema,
  key,
  outputSchema,
  text,
  listFieldNames,
} from '../metadata/fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

/** The dictionary of a schedule: every field once. */
export const scheduleFields = {
  scheduleGuid: guid('Schedule', { readOnly: true }),
  command: key(50, 'Command', { lookup: 'command' }),
  argument: Type.Array(Type.String(), {
    title: 'Arguments',
    maxItems: 6,
    'x-field': { unfilterable: true },
  }),
  cron: {
    ...key(100, 'When: a cron expression'),
    description:
      "Minute, hour, day of the month, month and day of the week, in the system's time zone: `30 4 * * 1-5`.",
  },
  description: text(200, 'Description'),
  enabled: flag('Enabled'),
  nextRunAt: dateTime('Runs next at', { readOnly: true }),
  lastRunAt: dateTime('Ran last at', { readOnly: true }),
  lastJobId: text(36, 'Job of the last run', { readOnly: true }),
  createdAt: dateTime('Created at', { readOnly: true }),
}

export const Schedule = outputSchema(scheduleFields, listFieldNames(scheduleFields), {
  $id: 'Schedule',
})
export type Schedule = Static<typeof Schedule>

/** A member that is omitted or null stays; a list replaces the whole list. */
export const ScheduleInput = inputSchema(
  scheduleFields,
  ['command', 'argument', 'cron', 'description', 'enabled'],
  {
    $id: 'ScheduleInput',
  },
)
export type ScheduleInput = Static<typeof ScheduleInput>

export const listSchedules = operation({
  id: 'listSchedules',
  name: 'listSchedules',
  method: 'GET',
  path: '/schedules',
  area: 'System',
  access: ['system.admin'],
  unrestricted: true,
  summary: 'List schedules of commands',
  description:
    'A command runs once at each time, for any number of nodes. Runs missed while no node runs, or while the command is still running, are merged into one run afterwards.',
  query: pageQuery,
  status: 200,
  response: page(Schedule),
})
