import { commands, runCommand, type Command } from '../../../contract/platform/commands.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { ApiError, done } from '../../platform/http/errors.ts'
import { requireJobAsker } from '../../access/serve/job-asker.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { JobFailure, type JobKind } from '../../platform/jobs/job.ts'
import { readArguments } from './arguments.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import { findRunningCommand, insertCommandJob } from './commands.store.ts'

export function serveCommands(service: ServerContext, handlers: readonly CommandHandler[]): void {
  const allowed = handlers.map(({ command }) => command)

  serve(service, runCommand, async ({ db, caller, params, body, origin, path }) => {
    const handler = handlers.find(({ command }) => command === params.command)
    if (!handler) {
      throw new ApiError(
        'not-found',
        `There is no command ${params.command.slice(0, 50)}. The commands are ${allowed.join(', ')}.`,
      )
    }
    const command: Command = commands.find((one) => one.command === handler.command)!
    const given = readArguments(command, body)
    await handler.check?.(given, db, caller)
    const name = handler.command
    const jobId = await inTransaction(db, async (tx) => {
      const { requestId } = origin
      const id = await insertCommandJob(tx, { command: name, given, askedBy: caller.userId, requestId })
      if (id === undefined) return undefined
      const changes = { command: [null, [name, ...given].join(' ')] as [unknown, unknown] }
      await insertAuditEntry(tx, origin, {
        entity: 'job',
        action: 'created',
        entityId: id,
        subject: id,
        changes,
      })
      return id
    })
    if (jobId === undefined) throw await alreadyRunning(db, name)
    return { body: { ...done(`The command ${name} is started as a job.`, path), jobId } }
  })
}

async function alreadyRunning(db: Parameters<typeof findRunningCommand>[0], name: string): Promise<ApiError> {
  const jobId = await findRunningCommand(db, name)
  return new ApiError(
    'conflict',
    `The command ${name} is running already. Wait until its job has ended, or cancel it.`,
    jobId === undefined ? {} : { members: { jobId } },
  )
}

export function commandJobs(handlers: readonly CommandHandler[]): JobKind<{ arguments: (string | null)[] }> {
  return {
    kind: 'command',
    run: async (job) => {
      const handler = handlers.find(({ command }) => command === job.name)
      if (!handler) throw new JobFailure(`This version has no command ${job.name}.`)
      if (job.askedBy !== null)
        await requireJobAsker(job.sql, job.askedBy, {
          what: `The command ${job.name}`,
          access: runCommand.access,
          unrestricted: true,
        })
      return handler.run(
        job,
        job.payload.arguments.map((one) => one ?? undefined),
      )
    },
  }
}
