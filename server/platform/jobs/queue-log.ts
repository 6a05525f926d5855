import { Logger, type Job } from 'graphile-worker'
import { trackedTask } from './jobs.store.ts'

/**
 * Passes on the library's warnings and errors. Failures of jobs with a history are omitted. For others only task and
 * location are logged: messages may contain personal data.
 */
export const queueLogger = (onProblem: (message: string) => void): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    const { failure, job, error } = (meta ?? {}) as { failure?: boolean; job?: Job; error?: unknown }
    if (failure !== true) onProblem(message)
    else if (job && job.task_identifier !== trackedTask) onProblem(describe(job, error))
  })

function describe({ task_identifier: task, attempts }: Job, error: unknown): string {
  const { name, code, stack } = (error ?? {}) as { name?: string; code?: string; stack?: string }
  const where = /^ {4}(at .*:\d+:\d+\)?)$/m.exec(stack ?? '')?.[1]
  const what = [code ?? name ?? 'something that is no error', where].filter((part) => part !== undefined)
  return `The task ${task} failed in attempt ${attempts} with ${what.join(' ')}.`
}
