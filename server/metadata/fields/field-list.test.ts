import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserFieldListItem } from '../../../contract/access/user-fields.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const list = async (filter = '') =>
  (
    await api.call<Page<UserFieldListItem>>(
      'GET',
      `/system/fields?${filter === '' ? '' : `$filter=${encodeURIComponent(filter)}`}`,
    )
  ).body

test('listUserFields lists custom fields and overrides as their form shows them', async () => {
  const make = (body: object) =>
    api.call<{ fieldGuid: string }>('POST', '/system/forms/field/create', { body })
  const own = {
    entity: 'debtor',
    code: 'score',
    type: 'integer',
    textEn: 'Score',
    minValue: '0',
    maxValue: '100',
    defaultValue: '50',
    indexed: true,
  }
  const { body: made } = await make(own)
  await make({ entity: 'address', code: 'stateCode', hidden: true })
  const { total, value } = await list()
  assert.deepEqual([total, value.map(({ code }) => code)], [2, ['stateCode', 'score']])
  assert.deepEqual([value[0]!.type, value[0]!.hidden], [null, true])
  const score = value[1]!
  assert.deepEqual(
    Object.fromEntries(Object.keys(own).map((name) => [name, score[name as keyof UserFieldListItem]])),
    own,
  )
  const opened = await api.call('GET', `/system/forms/field/edit?initialValues=true&id=${made.fieldGuid}`)
  for (const [name, told] of Object.entries(score))
    if (told !== null) assert.deepEqual(opened.body[name], told, name)
  assert.equal((await list('type eq null')).value[0]!.code, 'stateCode')
  assert.equal((await list("entity eq 'debtor' and indexed eq true")).total, 1)
  assert.equal((await list("defaultValue eq '50'")).total, 1)
})

test('listUserFields needs the access code of its form', async () => {
  assertProblem(
    await api.call('GET', '/system/fields', { token: await api.signIn(3) }),
    'forbidden',
    /form\.admin/,
  )
})
