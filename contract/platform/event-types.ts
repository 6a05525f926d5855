/**
 * Every event type: an entity and what happened to it. Only names, so that web pages can include them. event-texts.ts
 * describes each type and its data.
 */
export const eventActions = {
  debtor: ['created', 'updated', 'deleted', 'document_created', 'document_deleted', 'erased'],
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
    'fee_reversed',
    'written_off',
    'credit_refunded',
    'credit_used',
    'terms_changed',
    'interest_corrected',
    'limitation_interrupted',
    'step_taken',
    'law_changed',
    'law_corrected',
    'demand_changed',
    'assigned',
    'next_action_set',
    'work_done',
    'call_logged',
  ],
  objection: ['recorded', 'answered', 'decided'],
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
  suspense: ['allocated', 'refunded', 'returned', 'divided'],
  paymentfile: ['received', 'posted'],
  payout: ['created'],
  note: ['created', 'updated', 'deleted'],
  attachment: ['created', 'updated', 'deleted'],
  client: ['created', 'updated', 'deleted', 'terms_changed'],
  thirdparty: ['created', 'updated', 'deleted'],
  account: ['created', 'updated', 'deleted'],
  customer: ['created', 'updated', 'deleted'],
  purchase: ['created', 'updated', 'deleted'],
  object: ['created', 'updated', 'deleted'],
  user: ['created', 'updated', 'deleted', 'linked'],
  accessgroup: ['created', 'updated', 'deleted'],
  approval: ['requested', 'approved', 'rejected', 'withdrawn', 'ended'],
  approvallimit: ['created', 'updated', 'deleted'],
  party: ['created'],
  service: ['completed', 'failed'],
  job: ['completed', 'failed', 'cancelled'],
  strategy: ['created', 'updated', 'deleted'],
  lettertemplate: ['created', 'updated', 'published', 'withdrawn', 'deleted'],
  dashboard: ['created', 'updated', 'deleted'],
  trial: ['created', 'updated', 'deleted', 'started', 'stopped'],
  webhook: ['created', 'updated', 'deleted', 'pinged'],
  schedule: ['created', 'updated', 'deleted'],
  field: ['created', 'updated', 'deleted'],
  lookupvalue: ['created', 'updated', 'deleted'],
  interestrate: ['set', 'removed'],
  statutoryfee: ['set', 'changed', 'removed'],
  systemsettings: ['updated'],
  systemdate: ['set'],
} as const

/** The entity of an event: the part of a type before the dot. */
export type EventEntity = keyof typeof eventActions
/** The action on it: the part after the dot. */
export type EventAction<E extends EventEntity> = (typeof eventActions)[E][number]
/** The entities that have all of the given actions. */
export type EntityWithActions<A extends string> = {
  [E in EventEntity]: [A] extends [EventAction<E>] ? E : never
}[EventEntity]

export type EventType = { [E in EventEntity]: `${E}.${EventAction<E>}` }[EventEntity]
/** The type of a received event. A client may be older than the service and must accept unknown types. */
export type ReceivedEventType = EventType | (string & Record<never, never>)
/** A type, or all types of an entity with a star. */
export type EventFilter = EventType | `${EventEntity}.*`
/** Several of them, comma-separated. */
export type EventFilters = EventFilter | `${EventFilter},${string}`

export const eventEntities = Object.keys(eventActions) as EventEntity[]

export const eventTypes: readonly EventType[] = eventEntities.flatMap((entity) =>
  eventActions[entity].map((action) => `${entity}.${action}` as EventType),
)
/** Every valid filter: each entity with a star, then its types. */
export const eventFilters: readonly EventFilter[] = eventEntities.flatMap((entity): EventFilter[] => [
  `${entity}.*`,
  ...eventActions[entity].map((action) => `${entity}.${action}` as EventType),
])
