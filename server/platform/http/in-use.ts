import { ApiError } from './errors.ts'

/** The 409 of a record that others depend on, or undefined when none does. `uses` counts them by what they are. */
export function inUse(what: string, uses: Readonly<Record<string, number>>): ApiError | undefined {
  const used = Object.entries(uses).filter(([, count]) => count > 0)
  if (used.length === 0) return undefined
  const list = used.map(([name, count]) => `${count} ${name}`).join(', ')
  return new ApiError('conflict', `The ${what} is in use by ${list}. Change or delete those first.`, {
    members: { usedBy: Object.fromEntries(used) },
  })
}
