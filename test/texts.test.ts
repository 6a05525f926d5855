/** `data/texts`: a file per language, all with the keys that code uses and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forms } from '../contract/metadata/all-forms.ts'
import { feeNotes } from '../console/src/screens/administration/fee-notes.data.ts'
import { operations } from '../contract/api.ts'
import { formFields } from '../contract/metadata/forms/form.ts'
import { languages } from '../contract/platform/languages.ts'
import { shippedFees } from '../core/ledger/statutory-fees.ts'
import { texts, type TextArea } from '../core/text/texts.ts'
import { fieldDescription, fieldLabel } from '../server/metadata/forms/labels.ts'
import { consoleCode, families, isMember, usedKeys } from './text-keys.ts'

type Table = Readonly<Record<string, string>>
const areas = Object.keys(texts.en) as TextArea[]
const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

for (const language of languages) {
  test(`${language} has every text, with the places to fill in that English has`, () => {
    assert.deepEqual(Object.keys(texts[language]), areas)
    for (const area of areas) {
      const english: Table = texts.en[area]
      const own: Table = texts[language][area]
      assert.deepEqual(Object.keys(own), Object.keys(english), area)
      for (const [key, text] of Object.entries(own)) {
        assert.notEqual(text.trim(), '', `${area}.${key}`)
        assert.deepEqual(placesIn(text), placesIn(english[key]!), `${area}.${key}`)
        if (language !== 'en' && (area === 'ledger' || key.startsWith('feetype.')))
          assert.notEqual(text, english[key], `${area}.${key} is still English`)
      }
    }
  })
}

test('every key that code uses has a text', () => {
  const used = usedKeys()
  const missing = areas.flatMap((area) =>
    used[area].filter((key) => !Object.hasOwn(texts.en[area], key)).map((key) => `${area}.${key}`),
  )
  assert.deepEqual([...new Set(missing)].toSorted(), [])
})

/** The headings of screens that say what the menu says of them. */
const headings = {
  'import.title': 'imports',
  'navigation.audit': 'audit',
  'navigation.cases': 'cases',
  'navigation.clients': 'clients',
  'navigation.debtors': 'debtors',
  'navigation.fields': 'settings-fields',
  'navigation.jobs': 'jobs',
  'navigation.lookups': 'settings-lookups',
  'navigation.payments': 'payments',
  'navigation.payouts': 'payments-payouts',
  'navigation.rates': 'settings-rates',
  'navigation.suspense': 'payments-suspense',
  'navigation.system': 'settings-information',
  'plan.plans': 'plans',
} as const

test('the heading of a screen is its name in the menu, in each language', () => {
  const different = languages.flatMap((language) =>
    Object.entries(headings).flatMap(([heading, place]) => {
      const said = (texts[language].console as Table)[heading]
      const inMenu = (texts[language].navigation as Table)[place]
      return said === inMenu ? [] : [`${language}: ${said} is ${inMenu} in the menu`]
    }),
  )
  assert.deepEqual(different, [])
})

test('every operation has a name in each language, in English that of the API document', () => {
  const named = languages.map((language) => [
    language,
    operations.filter(({ id }) => !(texts[language].lookup as Table)[`operation.${id}`]).map(({ id }) => id),
  ])
  assert.deepEqual(
    named,
    languages.map((language) => [language, []]),
  )
  assert.deepEqual(
    operations.map(({ id }) => (texts.en.lookup as Table)[`operation.${id}`]),
    operations.map(({ summary }) => summary),
  )
})

test('every text is used', () => {
  const used = usedKeys()
  const orphans = areas.flatMap((area) => {
    const keys = new Set(used[area])
    return Object.keys(texts.en[area])
      .filter((key) => !keys.has(key))
      .filter((key) => area !== 'field' || key.includes('.') || !isMember(key))
      .map((key) => `${area}.${key}`)
  })
  assert.deepEqual(orphans, [])
})

test('what the console puts keys together of is known', () => {
  const begun = [
    ...consoleCode.matchAll(/\b(?:t|\w*[lL]abelOf|translateLabel|label)\(\s*`([\w.]+\.)\$\{/g),
  ].map(([, begin]) => begin!)
  assert.ok(begun.length > 40)
  const known = [...Object.keys(families), 'field.', 'form.', 'refusal.', 'report.title.']
  const unknown = begun.filter((begin) => !known.includes(begin) && !/^lookup\.(\w+\.)?$/.test(begin))
  assert.deepEqual([...new Set(unknown)], [])
})

test('every field of every form says what it means, in each language and in few words', () => {
  const fields = forms.flatMap((form) => formFields(form).map((code) => ({ entity: form.entity, code })))
  assert.ok(fields.length > 100)
  const faults = languages.flatMap((language) =>
    fields.flatMap(({ entity, code }) => {
      const text = fieldDescription(language, entity, code) ?? ''
      if (text.trim().length < 12 || text.length > 160)
        return [`${language}: ${entity}.${code} has ${text.length} characters`]
      return text === fieldLabel(language, entity, code)
        ? [`${language}: ${entity}.${code} is the label again`]
        : []
    }),
  )
  assert.deepEqual(faults, [])
})

/** Words of programmers, which no label has. Of identity numbers the Nordic languages say id-nummer. */
const technical = /guid(?!e)|uuid|\bjson\b|\bcron\b|(?<!\p{L})id(?![\p{L}-])/iu
/** Where texts are the names of things: a text that explains may name a format. */
const labelAreas = areas.filter((area) => !['description', 'letter', 'message', 'law'].includes(area))

test('no label has a word of programmers, in any language', () => {
  const faults = languages.flatMap((language) =>
    labelAreas.flatMap((area) =>
      Object.entries(texts[language][area] as Table)
        .filter(([, text]) => technical.test(text.replaceAll(/\{\w+\}/g, '')))
        .map(([key, text]) => `${language}: ${area}.${key} is “${text}”`),
    ),
  )
  assert.deepEqual(faults, [])
  for (const bad of ['File (GUID)', 'Client id', 'Meddelande-id', 'Nachrichten-ID', 'When (cron)'])
    assert.match(bad, technical)
  for (const good of ['Id-nummer', 'Identity number', 'Paid', 'Guide', 'Video'])
    assert.doesNotMatch(good, technical)
})

test('no explanation has the word GUID, in any language', () => {
  const faults = languages.flatMap((language) =>
    Object.entries(texts[language].description as Table)
      .filter(([, text]) => /guid(?!e)|uuid/i.test(text))
      .map(([key]) => `${language}: ${key}`),
  )
  assert.deepEqual(faults, [])
})

test('every note of a shipped fee has a text that begins like a sentence, in each language', () => {
  const notes = shippedFees
    .flatMap(({ stage, condition }) => [stage, condition])
    .filter((note) => note != null)
  assert.deepEqual([...new Set(notes)].toSorted(), Object.keys(feeNotes).toSorted())
  const faults = languages.flatMap((language) =>
    Object.values(feeNotes).filter((code) => {
      const [first = ''] = (texts[language].lookup as Table)[`feenote.${code}`]!
      return first !== first.toLocaleUpperCase(language)
    }),
  )
  assert.deepEqual(faults, [])
})
