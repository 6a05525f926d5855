/** The lines in which two texts differ: the longest common part stays. Pure. */

export interface LineChange {
  state: 'same' | 'removed' | 'added'
  text: string
}

export function compareLines(before: string, after: string): LineChange[] {
  const [from, to] = [splitLines(before), splitLines(after)]
  const common = countCommon(from, to)
  const changes: LineChange[] = []
  let [row, column] = [0, 0]
  while (row < from.length || column < to.length) {
    if (row < from.length && column < to.length && from[row] === to[column]) {
      changes.push({ state: 'same', text: from[row++]! })
      column++
    } else if (
      column >= to.length ||
      (row < from.length && common[row + 1]![column]! >= common[row]![column + 1]!)
    )
      changes.push({ state: 'removed', text: from[row++]! })
    else changes.push({ state: 'added', text: to[column++]! })
  }
  return changes
}

const splitLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** For each pair of places, how many lines behind them are common in this order. */
function countCommon(from: readonly string[], to: readonly string[]): number[][] {
  const common = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0))
  for (let row = from.length - 1; row >= 0; row--)
    for (let column = to.length - 1; column >= 0; column--)
      common[row]![column] =
        from[row] === to[column]
          ? common[row + 1]![column + 1]! + 1
          : Math.max(common[row + 1]![column]!, common[row]![column + 1]!)
  return common
}
