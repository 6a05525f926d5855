const barWidth = 24
const drawEveryMs = 100

/** The output of a bar: standard error. */
export type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

export interface ProgressBar {
  /** The share done, from 0 to 1, and a text. */
  show(share: number, text: string): void
  /** Leaves the final bar on the screen. */
  end(): void
}

/** A bar that redraws itself at most ten times a second. There is none without a terminal, or when disabled. */
export function startProgressBar(out: Screen, isWanted: boolean): ProgressBar {
  let last: string | undefined
  let shownAt = -drawEveryMs
  const draw = (line: string) => out.write(`\r\u001b[K${line}`)
  return {
    show: (share, text) => {
      if (!out.isTTY || !isWanted) return
      last = formatBar(share, text)
      if (performance.now() - shownAt < drawEveryMs) return
      shownAt = performance.now()
      draw(last)
    },
    end: () => {
      if (last === undefined) return
      draw(last)
      out.write('\n')
      last = undefined
    },
  }
}

export function formatBar(share: number, text: string): string {
  const filled = Math.round(Math.min(share, 1) * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${formatShare(share, text)}`
}

export const formatShare = (share: number, text: string): string =>
  `${String(Math.floor(Math.min(share, 1) * 100)).padStart(3)}%  ${text}`
