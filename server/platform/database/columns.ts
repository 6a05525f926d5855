/** Maps members to columns: snake_case by rule, with exceptions that the store names. */

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The SQL expression of each member, for a table alias. */
export function columnsOf<N extends string>(
  names: readonly N[],
  alias: string,
  exceptions: { [K in N]?: string } = {},
): Record<N, string> {
  return Object.fromEntries(
    names.map((name) => [name, `${alias}.${exceptions[name] ?? snakeCase(name)}`]),
  ) as Record<N, string>
}

/** The select list that yields the member names. */
export const selectOf = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')

/** Column values from members. */
export function rowOf(members: object, exceptions: Record<string, string> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [exceptions[name] ?? snakeCase(name), value]),
  )
}
