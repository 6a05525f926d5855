/** The name of the last member of a path: `zipCode` of `addresses[0].zipCode`, and `payments` of `payments[0]`. */
export const lastMember = (path: string): string =>
  path
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$/, '')
