/** Faults that the simulator has to find. Each changes one place of one file. */
export interface PlantedFault {
  what: string
  file: string
  from: string
  to: string
}

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
    from: 'if (remembered && changes !== undefined && remembered.changes === changes)',
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
}
