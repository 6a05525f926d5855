import { Type, type Static } from 'typebox'
import { dateTime, guid, key, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

export const AuditEntry = Type.Object(
  {
    position: Type.Integer({ description: 'Increases with each entry.' }),
    occurredAt: dateTime('When, by the real clock'),
    businessDate: dateTime('When, by the business clock'),
    actorGuid: text(36, 'Who; null for the system itself'),
    requestId: text(128, 'Through which request'),
    operation: key(50, 'Through which operation or command'),
    action: key(50, 'What was done'),
    entity: key(50, 'To what kind of record'),
    entityGuid: guid('To which record'),
    subjectGuid: guid('Whose record: the debtor of an address, the user of a session'),
    currencyCode: text(3, 'In which amounts are; null for a record without any'),
    changes: Type.Record(
      Type.String(),
      Type.Unsafe<[before: unknown, after: unknown]>({ type: 'array', items: {}, minItems: 2, maxItems: 2 }),
      {
        description:
          'From a member to its value before and after; amounts in main units of `currencyCode`. Personal data is masked for callers without `audit.read`.',
        'x-field': { unfilterable: true },
      },
    ),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  name: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  area: 'System',
  summary: 'List audit entries',
  description:
    'Newest first unless `$orderby` is given. With `audit.read` all entries; without it those of the debtors that the caller may see, with personal data masked by its kind.',
  access: ['audit.read', 'debtor.read'],
  query: pageQuery,
  status: 200,
  response: page(AuditEntry),
  example: { query: { $filter: "entity eq 'debtor' and action eq 'updated' and occurredAt ge 2026-11-01" } },
})
