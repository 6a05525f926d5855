/** Ticks of an axis from 0: two to five at a round interval, the last at `most` or above. */
export function ticksUpTo(most: number): number[] {
  const raw = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-9)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? power
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step)
}
