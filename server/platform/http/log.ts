/**
 * Structured logs. A line holds what an operator needs and no more: never a body, a header, a query string or an
 * error's values, which may hold secrets or personal data.
 */
import { pino, type Logger } from 'pino'

/** From the specification's log level (0 error, 1 info, 2 to 5 debug, 6 to 10 trace) to the logger's. */
export const logLevelOf = (level: number): string =>
  level === 0 ? 'error' : level === 1 ? 'info' : level <= 5 ? 'debug' : 'trace'

let millisecond = 0
let timeText = ''

/** Written anew once in a millisecond, in which a busy node writes several lines. */
function timeOfLine(): string {
  const now = Date.now()
  if (now !== millisecond) {
    millisecond = now
    timeText = pino.stdTimeFunctions.isoTime()
  }
  return timeText
}

export function createLog(level: number): Logger {
  return pino(
    {
      level: logLevelOf(level),
      base: null,
      timestamp: timeOfLine,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'password',
          'token',
          'authorization',
          'cookie',
          'idNumber',
          '*.password',
          '*.token',
          '*.authorization',
          '*.cookie',
          '*.idNumber',
        ],
        censor: '[redacted]',
      },
    },
    openOutput(),
  )
}

/** Lines as bytes: of text sonic-boom (4.2) measures all that waits with each line more, which costs as much as the line. */
function openOutput(): { write(line: string): void } {
  const output = pino.destination({
    dest: 2,
    sync: false,
    contentMode: 'buffer',
    minLength: 32_768,
    maxWrite: 65_536,
    periodicFlush: 500,
  })
  // It takes bytes in this mode, which its types do not say.
  return { write: (line) => output.write(Buffer.from(line) as unknown as string) }
}
