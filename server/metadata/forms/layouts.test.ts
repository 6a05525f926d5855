import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { formFields } from '../../../contract/metadata/forms/form.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('a layout names only fields of its dictionary, and every member that its body takes', () => {
  for (const { form } of api.app.forms.all) {
    const named = `${form.entity}/${form.type}`
    const shown = formFields(form)
    assert.equal(new Set(shown).size, shown.length, named)
    assert.deepEqual(
      shown.filter((code) => !(code in form.fields)),
      [],
      named,
    )
    const depended = (form.recalculations ?? []).flatMap(({ fields }) => fields)
    assert.deepEqual(
      depended.filter((code) => !shown.includes(code)),
      [],
      named,
    )
    const taken = Object.keys((form.submit.body as { properties?: object }).properties ?? {})
    assert.deepEqual(
      taken.filter((code) => !shown.includes(code)),
      [],
      named,
    )
  }
})
