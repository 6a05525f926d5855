/**
 * Finds the items for which a batch fails. A batch is all or nothing, so one bad item fails every item in it.
 * The batch is then split, until the bad items fail alone.
 */

export interface BisectOptions<Item, Result> {
  /** Runs a batch. When it throws, the batch has had no effect. */
  run(items: readonly Item[]): Promise<Result>
  /** True when one item may be the reason for the error, so that the others may succeed without it. */
  isAttributable(error: unknown): boolean
  /** The result of items that fail: of a single one, or of a batch with an error that no item caused. May throw. */
  fail(items: readonly Item[], error: unknown): Result | Promise<Result>
  /** Into how many parts a batch with this error is split; 2 unless given. */
  countParts?(items: readonly Item[], error: unknown): number
  /** Runs the parts of a batch at the same time: not for parts of one transaction. */
  parallel?: boolean
}

/** Returns the results of the batches, in the order of their items. */
export async function bisect<Item, Result>(
  items: readonly Item[],
  options: BisectOptions<Item, Result>,
): Promise<Result[]> {
  try {
    return [await options.run(items)]
  } catch (error) {
    if (items.length === 1 || !options.isAttributable(error)) return [await options.fail(items, error)]
    const parts = splitItems(items, options.countParts?.(items, error) ?? 2)
    if (options.parallel) return (await Promise.all(parts.map((part) => bisect(part, options)))).flat()
    const results: Result[] = []
    for (const part of parts) results.push(...(await bisect(part, options)))
    return results
  }
}

function splitItems<Item>(items: readonly Item[], count: number): (readonly Item[])[] {
  const size = Math.ceil(items.length / count)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
