import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { languages } from '../../../contract/platform/languages.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { descriptions, fieldLabel, labels } from './labels.ts'
import { fieldsOf } from '../../../contract/metadata/forms/form.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('every form, group, field, button and recalculation has a label in every language', () => {
  const forms = api.app.forms.all.map(({ form }) => form)
  assert.ok(forms.length >= 6)
  const missing = languages.flatMap((language) => {
    const has = (...keys: string[]) => keys.some((key) => (labels[language][key] ?? '').trim() !== '')
    const needed = forms.flatMap(({ entity, type, ...form }) => [
      [`form.${entity}.${type}`],
      [`button.${entity}.${type}`, `button.${type}`, 'button.edit'],
      ...(form.recalculations ?? []).map(({ code }) => [`recalc.${entity}.${code}`]),
      ...form.groups.map(({ code }) => [`group.${entity}.${code}`, `group.${code}`]),
      ...fieldsOf({ entity, type, ...form }).map((code) => [`${entity}.${code}`, `*.${code}`]),
    ])
    return needed.filter((keys) => !has(...keys)).map(([key]) => `${language}: ${key}`)
  })
  assert.deepEqual([...new Set(missing)], [])
})

test('every language has the same labels', () => {
  const keys = Object.keys(labels.en).toSorted()
  assert.ok(keys.length > 100)
  for (const language of languages) assert.deepEqual(Object.keys(labels[language]).toSorted(), keys, language)
})

test('every field of every form has a short description in each language', () => {
  const fields = api.app.forms.all.flatMap(({ form }) =>
    fieldsOf(form).map((code) => ({ entity: form.entity, code })),
  )
  const used = new Set<string>()
  const faults = languages.flatMap((language) =>
    fields.flatMap(({ entity, code }) => {
      const texts = descriptions[language]
      const key = [`${entity}.${code}`, `*.${code}`].find((one) => Object.hasOwn(texts, one))
      if (key === undefined) return [`${language}: ${entity}.${code} has none`]
      used.add(key)
      const text = texts[key]!
      if (text.trim().length < 12 || text.length > 160)
        return [`${language}: ${key} has ${text.length} characters`]
      if (text === fieldLabel(language, entity, code)) return [`${language}: ${key} is the label again`]
      return []
    }),
  )
  assert.deepEqual(faults, [])
  for (const language of languages)
    assert.deepEqual(Object.keys(descriptions[language]).toSorted(), [...used].toSorted(), language)
})

test('a layout names only fields of its dictionary, and every member of its body', () => {
  for (const { form } of api.app.forms.all) {
    const named = `${form.entity}/${form.type}`
    const shown = fieldsOf(form)
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
