/**
 * Every type of event there is: of what is told, and what happened to it. Names alone, so that a page may carry them;
 * event-texts.ts says of each when it is written and what its data hold.
 */
export const eventActions = {
  debtor: ['created', 'updated', 'document_created', 'document_deleted'],
  address: ['created', 'updated', 'deleted'],
  extrafield: ['created', 'updated', 'deleted'],
  case: [
    'registered',
    'updated',
    'status_changed',
    'held',
    'resumed',
    'closed',
    'reopened',
    'debtor_added',
    'debtor_removed',
    'fee_added',
    'written_off',
    'credit_refunded',
    'credit_used',
    'terms_changed',
    'interest_corrected',
    'limitation_interrupted',
    'step_taken',
  ],
  invoice: ['created', 'credited'],
  payment: ['registered', 'allocated', 'reversed'],
  paymentplan: [
    'proposed',
    'activated',
    'updated',
    'instalment_missed',
    'breached',
    'completed',
    'cancelled',
  ],
  suspense: ['allocated', 'refunded', 'returned'],
  paymentfile: ['received', 'posted'],
  payout: ['created'],
  note: ['created', 'updated', 'deleted'],
  client: ['created', 'updated', 'deleted', 'terms_changed'],
  thirdparty: ['created', 'updated', 'deleted'],
  account: ['created', 'updated', 'deleted'],
  customer: ['created', 'updated', 'deleted'],
  purchase: ['created', 'updated', 'deleted'],
  object: ['created', 'updated', 'deleted'],
  user: ['created', 'updated', 'linked'],
  accessgroup: ['created', 'updated', 'deleted'],
  party: ['created'],
  service: ['completed', 'failed'],
  job: ['completed', 'failed', 'cancelled'],
  strategy: ['created', 'updated', 'deleted'],
  webhook: ['created', 'updated', 'deleted'],
  schedule: ['created', 'updated', 'deleted'],
  field: ['created', 'updated', 'deleted'],
  lookupvalue: ['created', 'updated', 'deleted'],
  interestrate: ['set', 'removed'],
  statutoryfee: ['set', 'changed', 'removed'],
  systemsettings: ['updated'],
  systemdate: ['set'],
} as const

/** What events tell of: the part of a type before the dot. */
export type EventEntity = keyof typeof eventActions
/** What can happen to it: the part behind the dot. */
export type EventAction<E extends EventEntity> = (typeof eventActions)[E][number]
/** Those to which all of the given can happen. */
export type EntityWith<A extends string> = {
  [E in EventEntity]: [A] extends [EventAction<E>] ? E : never
}[EventEntity]

export type EventType = { [E in EventEntity]: `${E}.${EventAction<E>}` }[EventEntity]
/** Of an event that was read: a client may be older than the service, and must take a type that it does not know. */
export type SeenEventType = EventType | (string & Record<never, never>)
/** A type, or with a star all of an entity. */
export type EventFilter = EventType | `${EventEntity}.*`
/** Some of them, comma-separated. */
export type EventFilters = EventFilter | `${EventFilter},${string}`

const entities = Object.keys(eventActions) as EventEntity[]

export const eventTypes: readonly EventType[] = entities.flatMap((entity) =>
  eventActions[entity].map((action) => `${entity}.${action}` as EventType),
)
/** What a filter may name: each entity as a whole, then its types. */
export const eventFilters: readonly EventFilter[] = entities.flatMap((entity): EventFilter[] => [
  `${entity}.*`,
  ...eventActions[entity].map((action) => `${entity}.${action}` as EventType),
])
