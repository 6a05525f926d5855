import type { ImportProgress } from '../../server/integration/imports/import-file.ts'
import { formatBar, formatShare } from '../progress-bar.ts'

const [barEveryMs, lineEveryMs] = [100, 1000]

/** A bar that draws itself anew on a terminal; elsewhere a line a second at most. */
export function startImportProgress(out: NodeJS.WriteStream) {
  const started = performance.now()
  const everyMs = out.isTTY ? barEveryMs : lineEveryMs
  let last: ImportProgress | undefined
  let shownAt = started
  const draw = (progress: ImportProgress) => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001)
    const text = formatCounts(progress, progress.rows / seconds)
    const { share } = progress
    out.write(out.isTTY ? `\r\u001b[K${formatBar(share, text)}` : `${formatShare(share, text)}\n`)
  }
  return {
    show: (progress: ImportProgress): void => {
      last = progress
      if (performance.now() - shownAt < everyMs) return
      shownAt = performance.now()
      draw(progress)
    },
    /** Leaves the last state of a bar standing. */
    end: (): void => {
      if (last && out.isTTY) {
        draw(last)
        out.write('\n')
      }
    },
    inserted: () => last?.inserted ?? 0,
  }
}

function formatCounts(progress: ImportProgress, rate: number): string {
  return [
    `${progress.rows} rows`,
    ...(progress.alreadyThere > 0 ? [`${progress.alreadyThere} already there`] : []),
    ...(progress.rejected > 0 ? [`${progress.rejected} rejected`] : []),
    `${Math.round(rate)} rows/s`,
  ].join(', ')
}
