/** Faults that were chosen by somebody who wrote neither the service nor the checks. */
import type { PlantedFault } from './planted-fault.ts'

export const furtherFaults: Record<string, PlantedFault> = {
  'batch-tells-success': {
    what: 'a change that lost against another one in its batch is acknowledged',
    file: 'server/parties/debtors/update-debtors.store.ts',
    from: 'return rows.map((row) => ids.has(row.entry_id))',
    to: 'return rows.map(() => ids.size > 0)',
  },
  'window-too-short': {
    what: 'webhooks are not given the last event of each window',
    file: 'server/integration/feed/create-deliveries.ts',
    from: '(e.xid, e.position) <= ($4::bigint, $5::bigint)',
    to: '(e.xid, e.position) < ($4::bigint, $5::bigint)',
  },
  'replaced-attempt-ends': {
    what: 'an attempt that was taken for dead ends the job that runs again',
    file: 'server/platform/jobs/jobs.store.ts',
    from: "where job_run.id = job and status = 'running' and attempt_id = attempt\n    returning date",
    to: "where job_run.id = job and status <> 'waiting'\n    returning date",
  },
  'deletion-skips-number': {
    what: 'the event of a deletion leaves a number out',
    file: 'server/platform/events/tracked-row.ts',
    from: 'row!.sequence + 1, changes)',
    to: 'row!.sequence + 2, changes)',
  },
  'documents-unrestricted': {
    what: 'restricted users read letters about cases of other clients',
    file: 'server/collection/letters/documents.scope.ts',
    from: "caller.partyIds === null ? 'true' : `o.client_ids <@",
    to: "caller.partyIds !== undefined ? 'true' : `o.client_ids <@",
  },
  'webhook-beyond-owner': {
    what: 'a webhook delivers events that its owner may not read',
    file: 'server/integration/feed/webhook-owner.ts',
    from: "owner === agencyItself ? { text: 'true'",
    to: "owner.userId !== '' ? { text: 'true'",
  },
  'full-page-is-total': {
    what: 'the total of a page that its rows fill is that of the page',
    file: 'server/platform/database/list.ts',
    from: 'length < top && (length > 0 || skip === 0)',
    to: 'length <= top && (length > 0 || skip === 0)',
  },
  'held-money-only-grows': {
    what: 'a reversed payment leaves the money that is held for the client',
    file: 'server/ledger/booking.ts',
    from: 'if (amount === 0n) return\n  rows.heldMoney',
    to: 'if (amount <= 0n) return\n  rows.heldMoney',
  },
  'credit-unmatched': {
    what: 'credit that pays a case does not count in its payment plan',
    file: 'server/payments/credit.ts',
    from: 'made.inPlan ? await findPayingPlans(tx, [caseGuid]) : []',
    to: 'made.inPlan ? [] : await findPayingPlans(tx, [caseGuid])',
  },
  'refund-untold': {
    what: 'the refund of money in suspense is not in the trail',
    file: 'server/treasury/bank-files/suspense.changes.ts',
    from: "await note(tx, { suspenseGuid, held, type: 'suspense.refunded', changes: { note: why } }, origin)",
    to: '',
  },
  'sealed-entry-changed': {
    what: 'an erasure changes more of sealed entries than it may',
    file: 'server/insight/erasure/erase-traces.store.ts',
    from: 'salt = null, erasure_id = ${erasureId}',
    to: 'salt = null, request_id = null, erasure_id = ${erasureId}',
  },
  'key-soon-forgotten': {
    what: 'a request is done again when its key comes back after a minute',
    file: 'server/platform/http/idempotency.ts',
    from: "const kept = '24 hours'",
    to: "const kept = '1 minute'",
  },
  'payouts-unlocked': {
    what: 'two payouts are made at once of the same money',
    file: 'server/treasury/payouts/payouts.changes.ts',
    from: 'await tx`select pg_advisory_xact_lock(${payoutLock})`',
    to: '',
  },
  'transfer-of-one-case': {
    what: 'the file for the bank pays a client the money of one case',
    file: 'server/treasury/payouts/payouts.changes.ts',
    from: 'transfers: payouts.map(({ number, amount, clientName, account }) => ({',
    to: 'transfers: payouts.map(({ number, cases: [{ amount }], clientName, account }) => ({',
  },
  'own-approval': {
    what: 'who requested an act approves it',
    file: 'server/access/approvals/approvals.changes.ts',
    from: 'if (stored.requestedBy === caller.userId)\n',
    to: 'if (stored.requestedBy === guid)\n',
  },
  'waiting-entry-again': {
    what: 'a bank file that comes again before it is booked is booked again',
    file: 'server/treasury/bank-files/payment-files.store.ts',
    from: "and e.outcome in ('WAITING', 'BOOKED', 'SUSPENSE')) then",
    to: "and e.outcome in ('BOOKED', 'SUSPENSE')) then",
  },
  'trial-beside-none': {
    what: 'a case gets a trial although an open case of its debtor is in none',
    file: 'server/cases/trials/assign-to-trials.ts',
    from: 'case when beside.is_open then r.id = beside.trial_id',
    to: 'case when beside.trial_id is not null then r.id = beside.trial_id',
  },
  'erasure-leaves-notes': {
    what: 'an erasure leaves what people wrote about the cases',
    file: 'server/insight/erasure/erase-debtor.ts',
    from: 'await tx`delete from note using debt_case c where note.item_guid = c.id and c.main_debtor_id = ${debtorGuid}`',
    to: '',
  },
  'webhook-outlives-right': {
    what: 'a webhook goes on after its owner lost the right to have one',
    file: 'server/integration/feed/webhook-owner.ts',
    from: "return owner?.accessCodes.has('system.admin') ? owner : undefined",
    to: 'return owner',
  },
  'paid-letter-leaves': {
    what: 'a letter that demands more than is owed now leaves',
    file: 'server/collection/letters/outdated-letter.ts',
    from: "if (owesLess) return 'owesLess'",
    to: '',
  },
  'payout-told-outside': {
    what: 'the event of a payout is written outside of its transaction',
    file: 'server/treasury/payouts/payouts.changes.ts',
    from: 'await recordPayout(tx, {',
    to: 'await recordPayout(db, {',
  },
  'contact-unasked': {
    what: 'a message leaves although contact is not permitted',
    file: 'server/collection/letters/contact-gate.ts',
    from: 'const leaving = answer!.allowed\n',
    to: 'const leaving = answer!.recipientGuid !== null\n',
  },
}
