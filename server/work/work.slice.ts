import type { Slice } from '../access/serve/slice.ts'
import { serveCalls } from './calls.routes.ts'
import { serveWork } from './work.routes.ts'

export const workSlice: Slice = { routes: [serveWork, serveCalls] }
