/** A refusal of the service, in words. */
export const describeRefusal = (
  status: number,
  kind: string,
  detail: string,
  errors: Record<string, readonly string[]> = {},
): string =>
  [
    `${status} ${kind}: ${detail}`,
    ...Object.entries(errors).map(([name, texts]) => `${name}: ${texts.join(' ')}`),
  ].join('\n')
