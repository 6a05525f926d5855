/** How many rows a list had when it was last seen here, so that its skeleton is as high as the rows that come. */
const least = 3
const most = 12

const place = (operation: string) => `fordra-rows-${operation}`

export function expectRows(operation: string): number {
  const seen = localStorage.getItem(place(operation))
  return seen === null ? most : Math.min(most, Math.max(least, Number(seen)))
}

export const noteRows = (operation: string, count: number): void =>
  localStorage.setItem(place(operation), String(count))
