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
        description: '0 error, 1 info, 2 to 5 debug, 6 to 10 trace; null restores the default, 1.',
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
