/** The matrix of forms against the service itself: what it says of a role is what the service lets the role do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forms } from '../../contract/metadata/all-forms.ts'
import { roleAccessCodes, type UserRole } from '../../contract/access/access.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { findForms, formName, allowedSteps } from '../src/screens/administration/access-forms.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('the matrix has every form that is served', () => {
  const served = api.app.forms.all.map(({ form }) => form)
  assert.deepEqual(new Set(forms), new Set(served))
  assert.equal(findForms('').length, served.length)
})

const tried: UserRole[] = [2, 3, 4, 6, 14]
for (const role of tried) {
  test(`role ${role} may do with each form what the matrix says`, async () => {
    const token = await api.signIn(role)
    const column = { key: '', name: '', codes: roleAccessCodes[role], role }
    for (const form of forms) {
      const said = allowedSteps(form, column)
      const path = `/system/forms/${form.entity}/${form.type}`
      const isGiven = async (method: string, query = '') =>
        (await api.call(method, path + query, { token, ...(method !== 'GET' && { body: {} }) })).status !==
        403
      assert.equal(await isGiven('GET', '?initialValues=true'), said.includes('opens'), formName(form))
      assert.equal(await isGiven(form.submit.method), said.includes('stores'), formName(form))
      if (form.remove) assert.equal(await isGiven('DELETE'), said.includes('deletes'), formName(form))
    }
  })
}
