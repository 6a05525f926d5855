/**
 * Structured logs with what an operator needs: never a body, a header, a query string or an error's values, which may
 * hold secrets or personal data.
 */
import { pino, type Logger } from 'pino'
import { droppedLines } from '../telemetry/metrics.ts'
import { openLogOutput, type LogOutput } from './log-output.ts'

/** Maps the specification's log level (0 error, 1 info, 2 to 5 debug, 6 to 10 trace) to the logger's. */
export const toLogLevel = (level: number): string =>
  level === 0 ? 'error' : level === 1 ? 'info' : level <= 5 ? 'debug' : 'trace'

let millisecond = 0
let timeText = ''

/** Formatted at most once per millisecond, in which a busy node writes several lines. */
function lineTime(): string {
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
      level: toLogLevel(level),
      base: null,
      timestamp: lineTime,
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

/** Standard error, opened with the first log: commands that log nothing leave it alone. */
let standardError: LogOutput | undefined

function openOutput(): LogOutput {
  if (standardError) return standardError
  standardError = openLogOutput(process.stderr, (lines) => droppedLines.inc(lines))
  process.once('exit', () => void flushLog(0))
  return standardError
}

/** Waits until the log's lines have left the process, at most so long. */
export const flushLog = async (ms: number): Promise<void> => standardError?.flush(ms)
