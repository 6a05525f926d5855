import { createRootRoute } from '@tanstack/react-router'
import { Shell } from './shell/shell.tsx'

/** Below it is every route. */
export const root = createRootRoute({ component: Shell })
