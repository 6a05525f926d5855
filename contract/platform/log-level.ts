import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Problem } from './problem.ts'

export const LogLevelInput = Type.Object(
  {
    logLevel: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 10,
        title: 'Log level',
        description:
          'Each level adds to those below: 0 errors; 1 requests; 2 jobs; 3 calls of other servers; 4 refusals; 5 callers; 6 transactions; 7 slow statements; 8 all statements, without values; 9 database connections; 10 requests as they arrive. Null restores the default, 1.',
      }),
    ),
  },
  { $id: 'LogLevelInput', additionalProperties: false },
)
export type LogLevelInput = Static<typeof LogLevelInput>

export const setLogLevel = operation({
  id: 'S12',
  name: 'setLogLevel',
  method: 'PUT',
  path: '/system/loglevel',
  area: 'System',
  summary: 'Set log level',
  description:
    'Takes effect on every node within a second, and stays in effect across restarts until it is set again.',
  access: ['system.admin'],
  unrestricted: true,
  body: LogLevelInput,
  status: 200,
  response: Problem,
  example: { body: { logLevel: 3 } },
})
