import type { ImportProgress } from '../../server/integration/imports/import-file.ts'
import { formatBar, formatShare } from '../progress-bar.ts'

const [barEveryMs, lineEveryMs] = [100, 1000]

/** A bar that redraws itself on a terminal; elsewhere at most one line per second. */
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
    /** Leaves the final bar on the screen. */
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
