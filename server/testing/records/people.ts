import type { Properties, Property, PropertyType } from '../../platform/odata/properties.ts'

const property = (name: string, type: PropertyType, column: string, nullable = true): [string, Property] => [
  name.toLowerCase(),
  { name, type, nullable, column },
]

/** One property of each type, nullable and not, over the table that the tests against PostgreSQL make. */
export const people: Properties = new Map([
  property('personGuid', 'guid', 'p.id', false),
  property('agentGuid', 'guid', 'p.agent_id'),
  property('fullName', 'string', 'p.full_name'),
  property('city', 'string', 'p.city'),
  property('reference', 'string', 'p.reference', false),
  property('gender', 'int32', 'p.gender'),
  property('rank', 'int32', 'p.rank', false),
  property('balance', 'number', 'p.balance'),
  property('limit', 'number', 'p.limit_amount'),
  property('underAged', 'boolean', 'p.under_aged'),
  property('active', 'boolean', 'p.active', false),
  property('regDate', 'date-time', 'p.reg_date'),
  property('dueDate', 'date-time', 'p.due_date'),
  property('created', 'date-time', 'p.created', false),
])

export const filterOptions = {
  collation: 'fordra_order',
  firstParameter: 1,
  now: '2026-06-15T12:00:00Z',
}
