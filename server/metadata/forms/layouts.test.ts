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

test('a list offers only fields of its rows that the form changes, of a record that the row names', () => {
  let count = 0
  for (const { form } of api.app.forms.all)
    for (const { list, key, cells } of form.rows ?? []) {
      const named = `${form.entity}/${form.type} in ${list.name}`
      const page = list.response as unknown as { properties: { value: { items: { properties: object } } } }
      const columns = page.properties.value.items.properties
      const taken = (form.submit.body as { properties?: object }).properties ?? {}
      assert.equal(form.record, 'id', named)
      assert.deepEqual(Object.keys(form.takes), ['id'], named)
      assert.equal(form.submit.method, 'PATCH', named)
      for (const [column, field] of [[key, undefined], ...Object.entries(cells)] as const) {
        assert.ok(column in columns, `${named}: ${column}`)
        if (field !== undefined) assert.ok(field in taken, `${named}: ${field}`)
        count += 1
      }
    }
  assert.ok(count > 0)
})
