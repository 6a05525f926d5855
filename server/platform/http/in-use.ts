import { ApiError } from './errors.ts'

/** The 409 for a record that others depend on; undefined when none does. `uses` counts them by entity. */
export function inUse(what: string, uses: Readonly<Record<string, number>>): ApiError | undefined {
  const used = Object.entries(uses).filter(([, count]) => count > 0)
  if (used.length === 0) return undefined
  const list = used.map(([name, count]) => `${count} ${name}`).join(', ')
  return new ApiError('conflict', `The ${what} is in use by ${list}. Change or delete those first.`, {
    members: { usedBy: Object.fromEntries(used) },
  })
}
