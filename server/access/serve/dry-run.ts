/**
 * A write with `?dryRun=true`: the same handler in a transaction that is always rolled back. What it wrote is read before:
 * events, booked money and messages. Sequences of the database go on, and nothing else stays.
 */
import type { Operation } from '../../../contract/platform/operation.ts'
import { findDryRunObstacle } from '../../../contract/platform/operation-rules.ts'
import { dryRunMediaType, type DryRun } from '../../../contract/platform/dry-run.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { isOwnRow } from '../../platform/database/own-rows.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { StoredAnswer } from '../../platform/http/idempotency.ts'
import type { HandlerRequest } from './handler-request.ts'
import type { ServerContext } from './server-context.ts'

/** Takes `dryRun` out of a write's query. Throws a 400 where a dry run is impossible, so that it never becomes a write. */
export function takeDryRun(operation: Operation, query: Record<string, unknown>): boolean {
  const { dryRun } = query
  if (operation.method === 'GET' || dryRun === undefined) return false
  if (dryRun !== 'true') throw invalid({ dryRun: ['must be true. Leave it out to store the change.'] })
  const obstacle = findDryRunObstacle(operation)
  if (obstacle !== undefined)
    throw invalid({ dryRun: [`is not possible here: ${obstacle}. Nothing was done.`] })
  delete query['dryRun']
  return true
}

/** Carries the outcome out of the transaction, which it rolls back. */
class Tried extends Error {
  readonly found: DryRun
  readonly headers: Record<string, string>
  constructor(found: DryRun, headers: Record<string, string>) {
    super('A dry run is rolled back.')
    this.found = found
    this.headers = headers
  }
}

/** Throws what the write itself would. */
export async function answerDry<O extends Operation>(
  { sql, moneyReaders }: ServerContext,
  served: HandlerRequest<O>,
  work: (served: HandlerRequest<O>) => Promise<StoredAnswer>,
): Promise<{ headers: Record<string, string>; body: string }> {
  const outcome = await inTransaction(sql, async (tx) => {
    const after = makeId()
    const [last] = await tx<{ position: string }[]>`
      select last_value::text as position from audit_entry_position_seq`
    const { status, headers, body } = await work({ ...served, db: tx })
    // What would be refused at the commit is refused here.
    await tx.unsafe('set constraints all immediate')
    const answer: unknown = JSON.parse(body)
    const [events, messages, money] = await Promise.all([
      readEvents(tx, last!.position),
      readMessages(tx, after),
      Promise.all(moneyReaders.map((read) => read(tx, after))),
    ])
    throw new Tried({ status, answer, events, money: money.flat(), messages }, headers)
  }).catch((error: unknown) => {
    if (error instanceof Tried) return error
    throw error
  })
  const { etag: _etag, location: _location, ...headers } = outcome.headers
  return {
    headers: { ...headers, 'content-type': `${dryRunMediaType}; charset=utf-8` },
    body: JSON.stringify(outcome.found),
  }
}

const readEvents = (tx: Db, after: string): Promise<DryRun['events']> => tx<DryRun['events']>`
  select coalesce(type, '') as type, subject, sequence::float8 as sequence, data from audit_entry e
  where position >= ${after}::bigint and type is not null and ${isOwnRow(tx, 'e')} order by position`

const readMessages = (tx: Db, after: string): Promise<DryRun['messages']> => tx<DryRun['messages']>`
  select kind, channel, debtor_id as "debtorGuid" from message m where id > ${after} and ${isOwnRow(tx, 'm')} order by id`
