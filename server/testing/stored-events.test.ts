/** The look at what tests have stored sees what is not on the list, however it was written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../platform/events/record.ts'
import { makeId } from '../platform/database/make-id.ts'
import { openTestDatabase } from './database.ts'
import { findUnlisted } from './stored-events.ts'

test('a type that is not on the list cannot be written by the program', () => {
  const types: Change['type'][] = ['debtor.created', 'case.closed']
  // @ts-expect-error -- there is no such type
  types.push('debtor.opened')
  // @ts-expect-error -- nor one that is put together
  types.push(`case.${String(types.length)}`)
  assert.equal(types.length, 4)
})

test('a type that is not on the list, and data that is not as told, are found', () => {
  const right = [
    { type: 'debtor.created', members: ['debtorGuid'] },
    { type: 'service.completed', members: ['jobId', 'service', 'userGuid'] },
    { type: 'case.closed', members: null },
  ]
  assert.deepEqual(findUnlisted(right), [])
  const wrong = [
    { type: 'debtor.opened', members: ['debtorGuid'] },
    { type: 'toString', members: null },
    { type: 'debtor.updated', members: ['debtorGuid', 'fullName'] },
  ]
  assert.deepEqual(findUnlisted(wrong), [
    'debtor.opened is no type of event',
    'toString is no type of event',
    'debtor.updated: data has fullName besides',
    'debtor.updated: data lacks changed',
  ])
})

const findInClosed = (data: object) =>
  findUnlisted([{ type: 'case.closed', members: ['caseGuid', 'closureCode', 'status', 'subStatus'], data }])

test('a payload whose values are not as the schema says is found', () => {
  const right = { caseGuid: makeId(), status: 'CLOSED', subStatus: 'PAID', closureCode: null }
  assert.deepEqual(findInClosed(right), [])
  assert.deepEqual(findInClosed({ ...right, caseGuid: '1000017' }), [
    'case.closed: data/caseGuid must match format "uuid"',
  ])
  assert.deepEqual(findInClosed({ ...right, status: 3 }), ['case.closed: data/status must be string'])
})

test('a test whose database holds such an event fails', async () => {
  const database = await openTestDatabase()
  const write = (type: string, data: object) => database.sql`
    insert into audit_entry (business_date, operation, action, entity, entity_id, changes, id, type, subject, sequence, data)
    values ('2026-01-01', 'X1', 'any', 'any', ${makeId()}, '{}', ${makeId()}, ${type}, ${makeId()}, 1, ${database.sql.json(data as never)})`
  await write('debtor.created', { debtorGuid: makeId() })
  await write('debtor.opened', {})
  await write('debtor.updated', {})
  await database.sql`
    insert into audit_entry (business_date, operation, action, entity, entity_id, changes, subject, sequence)
    values ('2026-01-01', 'X1', 'any', 'any', ${makeId()}, '{}', ${makeId()}, 1)`
  await assert.rejects(database.close(), (error: Error) => {
    assert.match(error.message, /debtor\.opened is no type of event/)
    assert.match(error.message, /debtor\.updated: data lacks debtorGuid/)
    assert.match(error.message, /half of an event is no type of event/)
    assert.doesNotMatch(error.message, /debtor\.created/)
    return true
  })
})
