import { Logger } from 'graphile-worker'

/**
 * The library's log, of which only its own warnings and errors are passed on. Failures of jobs are not among them: they
 * are in the jobs' history, and may repeat personal data.
 */
export const queueLogger = (onProblem: (message: string) => void): Logger =>
  new Logger(() => (level, message, meta) => {
    const isOfJob = (meta as { failure?: boolean } | undefined)?.failure === true
    if ((level === 'error' || level === 'warning') && !isOfJob) onProblem(message)
  })
