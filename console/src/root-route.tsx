import { createRootRoute } from '@tanstack/react-router'
import { Shell } from './shell/shell.tsx'

/** The parent of every route. */
export const root = createRootRoute({ component: Shell })
