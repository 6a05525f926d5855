/** Records and the trail: each record has its entries, and each entry its record. */

/** Tables of records whose events are counted, by the name of the record in the trail. */
const counted = {
  accessgroup: 'access_group',
  approval: 'approval',
  attachment: 'attachment',
  approvallimit: 'approval_limit',
  case: 'debt_case',
  customer: 'customer',
  dashboard: 'dashboard',
  debtor: 'debtor',
  job: 'job_run',
  lookupvalue: 'lookup_value',
  note: 'note',
  party: 'party',
  paymentfile: 'payment_file',
  paymentplan: 'payment_plan',
  payout: 'payout_batch',
  strategy: 'strategy',
  suspense: 'suspense',
  trial: 'trial',
  user: 'app_user',
  webhook: 'webhook',
}

const selectCounted = (entity: string, table: string) => `
  select '${entity}' as entity, id, event_sequence from ${table}`
const countedRecords = Object.entries(counted)
  .map(([entity, table]) => selectCounted(entity, table))
  .join(' union all')
const missingFrom = (entity: string, table: string) => `
  select a.type || ' ' || a.entity_id from audit_entry a
  where a.entity = '${entity}' and a.sequence = 1 and a.entity_id = a.subject
    and not exists (select from ${table} t where t.id = a.entity_id)
    and not exists (select from audit_entry d where d.subject = a.subject and d.action = 'deleted')`

/** What holds at every moment, as the checks in `invariants.ts`. */
export const recordChecks: Record<string, string> = {
  'the counted events are not those in the trail': `
    select k.entity || ' ' || k.id || ': ' || k.event_sequence
    from (${countedRecords}) k
    where k.event_sequence <> (select coalesce(max(sequence), 0) from audit_entry a where a.subject = k.id)`,
  // A transaction within that of a request has a later number. A payout is written once.
  'the event of a payout was written by a later transaction than the payout': `
    select b.id::text from payout_batch b join audit_entry a on a.subject = b.id and a.sequence = 1
    where b.xmin::text::bigint < a.xid`,
  // An erasure takes notes and files away without a word.
  'the trail tells of a record that is not there': Object.entries(counted)
    .filter(([entity]) => entity !== 'note' && entity !== 'attachment')
    .map(([entity, table]) => missingFrom(entity, table))
    .join(' union all'),
  'an approved act was not done once, in the transaction of its approval': `
    select a.subject || ' ' || p.act from audit_entry a join approval p on p.id = a.subject
    where a.type = 'approval.approved' and p.act in ('WRITE_OFF', 'PAYMENT', 'BANK_FILE') and (
      select count(*) from audit_entry b where b.xid = a.xid
        and b.request_id is not distinct from a.request_id
        and b.type in ('case.written_off', 'payment.registered', 'paymentfile.received')) <> 1`,
}
