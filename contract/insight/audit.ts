import { Type, type Static } from 'typebox'
import { dateTime, erasedMembers, guid, key, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

export const AuditEntry = Type.Object(
  {
    position: Type.Integer({ description: 'Increases with each entry.' }),
    occurredAt: dateTime('When, by the real clock'),
    businessDate: dateTime('When, by the business clock'),
    actorGuid: text(36, 'Who; null for the system itself'),
    requestId: text(128, 'Through which request'),
    operation: key(
      50,
      'Through which operation, by the number of the specification where it has one, or command',
    ),
    operationId: key(50, 'The same as an operationId of the API document, or the name of a command'),
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
    erased: erasedMembers,
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

/** The newest signed head of the trail's hash chain: it vouches for every entry sealed before. */
export const AuditHead = Type.Object(
  {
    seal: Type.Integer({ description: 'The number of the seal.' }),
    hash: Type.String({ description: 'Its SHA-256, as hexadecimal digits.' }),
    key: Type.String({ description: 'The id of the key that signed it.' }),
    signature: Type.String({ description: 'The Ed25519 signature, in Base64.' }),
    signedAt: Type.String({ format: 'date-time', description: 'When it was signed.' }),
  },
  { $id: 'AuditHead' },
)
export type AuditHead = Static<typeof AuditHead>

const AuditEntryPage = Type.Object(
  {
    ...page(AuditEntry).properties,
    head: Type.Unsafe<AuditHead | null>({
      anyOf: [AuditHead, { type: 'null' }],
      description: 'The newest signed head of the trail; null until the first one is signed.',
    }),
  },
  { $id: 'AuditEntryPage' },
)

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  name: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  area: 'System',
  summary: 'List audit entries',
  description:
    'Newest first unless `$orderby` is given. With `audit.read` all entries; without it those of the debtors that the caller may see, of the kinds that the caller may read (cases and invoices with `case.read`, payments with `payment.read`, plans with `paymentplan.read`), with personal data masked by its kind.',
  access: ['audit.read', 'debtor.read'],
  query: pageQuery,
  status: 200,
  response: AuditEntryPage,
  example: { query: { $filter: "entity eq 'debtor' and action eq 'updated' and occurredAt ge 2026-11-01" } },
})
