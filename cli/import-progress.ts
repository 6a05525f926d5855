import type { ImportProgress } from '../server/imports/import-file.ts'

const barWidth = 24
const [barEveryMs, lineEveryMs] = [100, 1000]

/** A bar that draws itself anew on a terminal; elsewhere a line a second at most. */
export function startImportProgress(out: NodeJS.WriteStream) {
  const started = performance.now()
  const everyMs = out.isTTY ? barEveryMs : lineEveryMs
  let last: ImportProgress | undefined
  let shownAt = started
  const draw = (progress: ImportProgress) => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001)
    const text = formatProgress(progress, progress.rows / seconds)
    out.write(out.isTTY ? `\r\u001b[K${formatBar(progress.share)} ${text}` : `${text}\n`)
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

function formatBar(share: number): string {
  const filled = Math.round(Math.min(share, 1) * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
}

function formatProgress(progress: ImportProgress, rate: number): string {
  const counts = [
    `${progress.rows} rows`,
    ...(progress.alreadyThere > 0 ? [`${progress.alreadyThere} already there`] : []),
    ...(progress.rejected > 0 ? [`${progress.rejected} rejected`] : []),
    `${Math.round(rate)} rows/s`,
  ]
  return `${String(Math.floor(Math.min(progress.share, 1) * 100)).padStart(3)}%  ${counts.join(', ')}`
}
