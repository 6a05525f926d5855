/** Faults that the simulator has to find. */
import { furtherFaults } from './further-faults.ts'
import type { PlantedFault } from './planted-fault.ts'

export const plantedFaults: Record<string, PlantedFault> = {
  'answer-not-kept': {
    what: 'the answer to an idempotency key is not kept',
    file: 'server/platform/http/idempotency.ts',
    from: 'await insertAnswer(tx, request, requestHash, { ...answer, body: storedBody ?? answer.body })',
    to: '',
  },
  'other-replay': {
    what: 'the repetition of an answer has another body',
    file: 'server/platform/http/idempotency.ts',
    from: 'if (stored) return { answer: stored, replayed: true }',
    to: "if (stored) return { answer: { ...stored, body: stored.body.replace(/\\d/, '7') }, replayed: true }",
  },
  'answer-outside': {
    what: 'the answer is given although the transaction is rolled back now and then',
    file: 'server/platform/http/idempotency.ts',
    from: 'return { answer, replayed: false }',
    to: "if (Math.random() < 0.1) await tx.unsafe('rollback; begin')\n      return { answer, replayed: false }",
  },
  'restriction-left-out': {
    what: 'cases are listed without the restriction of the caller',
    file: 'server/access/scope/visible-rows.ts',
    from: "caller.partyIds === null ? 'true'",
    to: "caller.partyIds !== undefined ? 'true'",
  },
  'version-unchecked': {
    what: 'a change is taken whatever version it was made on',
    file: 'server/platform/http/version.ts',
    from: "if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(formatETag(version))) return",
    to: 'if (version >= 0) return',
  },
  'case-unlocked': {
    what: 'a case is changed without its lock',
    file: 'server/claims/case-lock.ts',
    from: 'where c.id = $1 and ${scope.text} for no key update`,',
    to: 'where c.id = $1 and ${scope.text}`,',
  },
  'total-outdated': {
    what: 'a remembered total outlives the rows that it counted',
    file: 'server/platform/database/list.ts',
    from: 'if (remembered && changes !== undefined && isUnchanged(remembered.changes, changes))',
    to: 'if (remembered)',
  },
  'plan-outlives-case': {
    what: 'a plan that ends keeps its cases',
    file: 'server/plans/locked-plans.ts',
    from: 'if (ended.length > 0) await endPlanCases(tx, ended)',
    to: '',
  },
  'webhook-skips': {
    what: 'a delivery that failed is left out',
    file: 'server/integration/feed/deliver.ts',
    from: "status: isOver ? 'failed' : 'waiting'",
    to: "status: isOver ? 'failed' : 'delivered'",
  },
  'session-outlives-logout': {
    what: 'a token is believed long after its session ended',
    file: 'server/access/sessions/sessions.ts',
    from: 'const cacheMs = 900\n',
    to: 'const cacheMs = 900_000\n',
  },
  'feed-too-early': {
    what: 'webhooks are given events whose forerunners have not been committed',
    file: 'server/integration/feed/create-deliveries.ts',
    from: 'and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
    to: '',
  },
  'restore-loses-jobs': {
    what: 'a backup has no jobs that wait',
    file: 'server/platform/backups/archive.ts',
    from: "export const schemas = ['public', 'graphile_worker']",
    to: "export const schemas = ['public']",
  },
  'key-unlocked': {
    what: 'a second request with a key runs beside the first',
    file: 'server/platform/http/idempotency.ts',
    from: 'if (!isLocked) throw stillRunning()',
    to: '',
  },
  'commit-runs-again': {
    what: 'a transaction whose connection was lost at its commit runs again',
    file: 'server/platform/database/transaction.ts',
    from: "!retryable.has((error as { code?: string }).code ?? '')",
    to: '!isPassing(error)',
  },
  'seal-too-early': {
    what: 'a seal ends after transactions that still run',
    file: 'server/platform/events/audit-seal.ts',
    from: 'with horizon as (select pg_snapshot_xmin(',
    to: 'with horizon as (select pg_snapshot_xmax(',
  },
  'reversal-keeps-plan': {
    what: 'a plan is not settled again after a payment was reversed',
    file: 'server/payments/reverse-payment.ts',
    from: 'await settlePlans(tx, await findPaidPlans(tx, payment.movements), context.origin)',
    to: 'await findPaidPlans(tx, payment.movements)',
  },
  'disabled-keeps-session': {
    what: 'a disabled user stays signed in',
    file: 'server/access/users/users.changes.ts',
    from: 'if (password !== null || after.disabled) await revokeUserSessions',
    to: 'if (password !== null) await revokeUserSessions',
  },
  'suspense-unlocked': {
    what: 'money in suspense is read without a lock before it is allocated',
    file: 'server/payments/suspense.store.ts',
    from: 'from suspense where id = ${suspenseGuid} for update`',
    to: 'from suspense where id = ${suspenseGuid}`',
  },
  'effects-before-end': {
    what: "a job's effects are committed before its end",
    file: 'server/platform/jobs/attempt.ts',
    from: 'const result = await work(tx)',
    to: 'const result = await sql.begin(work)',
  },
  'mail-marked-first': {
    what: 'a message is marked as sent before it is sent',
    file: 'server/platform/messages/send.ts',
    from: 'const line = () => ({ channel, message: message.id })',
    to: 'await markSent(db, message.id)\n      const line = () => ({ channel, message: message.id })',
  },
  'feed-unrestricted': {
    what: 'the event feed is not restricted to the clients of the caller',
    file: 'server/integration/feed/events.scope.ts',
    from: "caller.partyIds === null\n    ? 'true'\n    : `(${debtorIsVisible",
    to: "caller.partyIds !== undefined\n    ? 'true'\n    : `(${debtorIsVisible",
  },
  ...furtherFaults,
}
