/** Templates of letters: drafts, faults by line, publication, versions, and the letters written with them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  LetterTemplate,
  LetterTemplateItem,
  LetterTemplateVersion,
  TemplateHelp,
  TemplatePreview,
} from '../../../contract/collection/letter-templates.ts'
import { templateKinds } from '../../../contract/collection/documents.ts'
import type { LetterImage } from '../../../contract/collection/letters.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openCases } from '../../testing/records/cases.ts'
import { findMissing } from './check-template.ts'
import { findFaults } from './preview-template.ts'
import { composeSample, writeShipped } from './sample-letter.ts'

let api: TestApi
let stage: Awaited<ReturnType<typeof openCases>>

before(async () => {
  api = await startApi()
  stage = await openCases(api)
})
after(() => api.close())

const parts = '#amounts\n#costs\n#payment\n#notices\n'
const create = (body: object, token = api.token) =>
  api.call<LetterTemplate>('POST', '/lettertemplates', { body, token })
const made = async (body: object) => {
  const answer = await create(body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.letterTemplateGuid
}
const read = (guid: string) => api.call<LetterTemplate>('GET', `/lettertemplates/${guid}`)
const change = (guid: string, source: string, headers: Record<string, string> = {}) =>
  api.call<LetterTemplate>('PATCH', `/lettertemplates/${guid}`, { body: { source }, headers })
const publish = (guid: string, body: object = {}) =>
  api.call<LetterTemplate>('POST', `/lettertemplates/${guid}/publish`, { body })
const withdraw = (guid: string) => api.call('POST', `/lettertemplates/${guid}/withdraw`, { body: {} })
const remove = (guid: string) => api.call('DELETE', `/lettertemplates/${guid}`)
const preview = (source: string, more: object = {}) =>
  api.call<TemplatePreview>('POST', '/lettertemplates/preview', {
    body: { kind: 'statement', languageCode: 'en', source, ...more },
  })
/** The letter as it would be sent now. */
const letter = async (debtorGuid: string, body: object) => {
  const answer = await api.call<LetterImage>('POST', `/debtors/${debtorGuid}/letters/preview`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.text
}

const ask = (query: string) => api.call<TemplateHelp>('GET', `/lettertemplatehelp?${query}`)

test('the help has each variable with its meaning, and the shipped text (getTemplateHelp)', async () => {
  const { body } = await ask('kind=demand&languageCode=sv')
  const client = body.variables.find(({ name }) => name === 'client')!
  assert.deepEqual(client, {
    name: 'client',
    meaning: 'The client, or the clients',
    example: 'Exempelbutiken',
    isRequired: false,
  })
  assert.ok(body.variables.find(({ name }) => name === 'payment')!.isRequired)
  assert.ok(body.commands.includes('table') && !body.commands.includes('import'))
  assert.match(body.source, /^= #title\n\n#client /)
  assert.ok(!body.variables.some(({ name }) => name === 'plan'))
  assert.ok((await ask('kind=plan&languageCode=de')).body.source.includes('#plan\n'))
  assertProblem(await ask('kind=poem&languageCode=sv'), 'invalid', /kind/)
})

test('the shipped text of every letter in every language is a template without faults', async () => {
  for (const language of languages)
    for (const kind of templateKinds) {
      const sample = composeSample({
        kind,
        language,
        sender: 'Inkasso & Söner',
        bankAccountNo: null,
        clientName: 'El_bolaget #1 * [AB]',
        today: '2026-06-15',
      })
      const source = writeShipped(kind, language)
      assert.deepEqual(await findFaults(sample, { kind, source }).then(({ faults }) => faults), [], source)
      assert.deepEqual(findMissing(source, kind), [])
    }
})

test('a draft is kept beside the version in force (createLetterTemplate, getLetterTemplate, updateLetterTemplate, withdrawLetterTemplate)', async () => {
  const guid = await made({ kind: 'statement', languageCode: 'en' })
  const { body: first, headers } = await read(guid)
  assert.deepEqual(
    [first.kind, first.languageCode, first.clientGuid, first.versionInForce, first.hasDraft, first.versions],
    ['statement', 'en', null, null, true, []],
  )
  assert.equal(headers.get('etag'), '"1"')
  assertProblem(await create({ kind: 'statement', languageCode: 'en' }), 'conflict', /already/)
  const debtor = await stage.register({ principal: 500 })
  const statement = { kind: 'statement', languageCode: 'en' }
  const shipped = await letter(debtor.debtorGuid, statement)
  const stale = await change(guid, parts, { 'if-match': '"7"' })
  assertProblem(stale, 'precondition-failed', /"1"|ETag is now/)
  const changed = await change(guid, `= Our words\r\n\r\nDear #debtor, pay *#total*.\r\n${parts}`)
  assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"2"'])
  // Letters have the shipped text until it is published.
  assert.equal(await letter(debtor.debtorGuid, statement), shipped)
  const published = await publish(guid, { note: 'Our own words' })
  assert.deepEqual([published.body.versionInForce, published.body.hasDraft], [1, false])
  assert.match(await letter(debtor.debtorGuid, statement), /^Our words\nDear .+, pay 500\.00 SEK\.\n/)
  await change(guid, `= Not yet\n${parts}`)
  assert.match(await letter(debtor.debtorGuid, statement), /^Our words/)
  assert.equal((await withdraw(guid)).status, 200)
  assert.equal(await letter(debtor.debtorGuid, statement), shipped)
  assertProblem(await withdraw(guid), 'conflict', /No version/)
  assertProblem(await remove(guid), 'conflict', /was published/)
  await clear()
})

/** Published versions never change, so tests remove them around the trigger. */
const clear = () => api.sql`truncate letter_template_version, letter_template`

test('an earlier version comes back as the next one (publishLetterTemplate, getLetterTemplateVersion)', async () => {
  const guid = await made({ kind: 'reminder', languageCode: 'sv', source: `Ett\n${parts}` })
  await publish(guid, { note: 'Början' })
  assertProblem(await publish(guid), 'conflict', /Version 1 says the same/)
  await change(guid, `Två\n${parts}`)
  await publish(guid)
  assertProblem(await publish(guid, { number: 9 }), 'not-found', /version/)
  const { body } = await publish(guid, { number: 1, note: 'Tillbaka' })
  assert.deepEqual([body.versionInForce, body.source, body.hasDraft], [3, `Ett\n${parts}`, false])
  assert.deepEqual(
    body.versions.map(({ number, note }) => [number, note]),
    [
      [3, 'Tillbaka'],
      [2, null],
      [1, 'Början'],
    ],
  )
  assert.match(body.versions[0]!.publishedAt!, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.notEqual(body.versions[0]!.publishedBy, null)
  const second = await api.call<LetterTemplateVersion>('GET', `/lettertemplates/${guid}/version?number=2`)
  assert.deepEqual([second.body.number, second.body.source], [2, `Två\n${parts}`])
  assertProblem(await api.call('GET', `/lettertemplates/${guid}/version?number=9`), 'not-found', /version/)
  await assert.rejects(
    api.sql`update letter_template_version set source = 'x' where number = 1`,
    /does not change/,
  )
  await clear()
})

const refused: [string, string, number, RegExp][] = [
  ['an unknown variable', 'Hello\n#clinet', 2, /#clinet is no variable.*Did you mean #client\?/],
  ['a variable of another kind of letter', '#plan', 1, /#plan is no variable/],
  ['an unknown word in brackets', '#text(fill: gren)[x]', 1, /Did you mean #green\?/],
  ['a file that is read', 'a\n\n#read("letter.typ")', 3, /#read is no variable/],
  ['an import', '#import "@preview/cetz:0.2.0"', 1, /#import cannot be used/],
  ['a repetition', '#for x in (1, 2) [x]', 1, /#for cannot be used/],
  ['a definition', '#let client = [x]', 1, /#let cannot be used/],
  ['a condition hidden in brackets', '#text(if true { red })[x]', 1, /#if cannot be used/],
  ['a multiplication', '#table(columns: (1fr,) * 999)', 1, /sign \*/],
  ['a number that is too large', '#v(1000cm)', 1, /1000cm is too large/],
  ['a part of a name', '#client.first', 1, /point and a word/],
  ['a variable with brackets', '#client(x)', 1, /takes no brackets/],
  ['a command without brackets', 'a #pagebreak b', 1, /needs brackets, such as #pagebreak\(\)/],
  ['a formula', 'It costs $5', 1, /Write \\+\$ to print it/],
  ['a reference', 'Write to post@agency.example', 1, /Write \\+@ to print it/],
  ['a lone sign', 'Case # 5', 1, /Write \\+# to print it/],
  ['code in a raw text', 'a `#x`', 1, /sign `/],
  ['brackets within brackets', `${'#box[#text['.repeat(6)}`, 1, /nested too deeply/],
  ['a repetition behind an address', 'https://a.example/* #for x in (1, 2) [x] */', 1, /#for cannot be used/],
  ['a repetition in a string that is none', '#text[a:// ]("\n#for x in (1, 2) [y]\n")]', 2, /#for cannot/],
  ['a repetition between comments', '/* /* */ #text(" */ #for x in (1, 2) [x] /*") */', 1, /#for cannot/],
  ['a repetition behind a line separator', '// x\u2028#for x in (1, 2) [y]', 1, /#for cannot be used/],
  ['an address that goes on', 'https://a.example/#for', 1, /Write \\+# to print it/],
  ['what Typst refuses', 'One\n\n#text(sizze: 3pt)[a]', 3, /unexpected argument: sizze/],
  ['bold text without an end', 'Two\n*bold', 2, /unclosed delimiter/],
]
for (const [what, source, line, message] of refused)
  test(`a template with ${what} is refused at its line`, async () => {
    const answer = await create({ kind: 'statement', languageCode: 'en', source })
    assertProblem(answer, 'invalid', message)
    const [fault] = (answer.body as unknown as { faults: { line: number }[] }).faults
    assert.equal(fault!.line, line)
    const tried = await preview(source)
    assert.equal(tried.body.image, null)
    assert.deepEqual(tried.body.faults[0], fault)
  })

test('what is plain text stays plain text', async () => {
  const source = `See https://agency.example/help or write to post\\@agency.example. // not printed
Costs: 5 \\$ [more] (and #client; more), #text(fill: red, size: 12pt)[red], 5 % - a_b.
#align(center)[*Bold*] #table(columns: (1fr, 2fr), align: (left, right), [a], [#due])
${parts}`
  const { body } = await preview(source, { kind: 'demand' })
  assert.deepEqual(body.faults, [])
  assert.match(body.text, /^See https:\/\/agency\.example\/help or write to post@agency\.example\.\n/)
  assert.match(body.text, /\(and Sample Shop more\), red/)
})

test('parts that a letter must have are missing at publication, not in a draft (previewLetterTemplate)', async () => {
  const guid = await made({ kind: 'demand', languageCode: 'en', source: 'Pay by #due. #amounts' })
  const answer = await publish(guid)
  assertProblem(answer, 'unprocessable', /#costs, #payment, #notices/)
  const { body } = await preview('Pay by #due. #amounts', { kind: 'demand' })
  assert.match(body.image!, /^<svg/)
  assert.deepEqual(
    body.faults.map(({ kind, name, line }) => [kind, name, line]),
    [
      ['missing', 'costs', 0],
      ['missing', 'payment', 0],
      ['missing', 'notices', 0],
    ],
  )
  assert.equal((await remove(guid)).status, 200)
  assertProblem(await read(guid), 'not-found', /template/)
})

test('a letter has the template of its client, of the client above, or of all (listLetterTemplates)', async () => {
  const templates: [string, object][] = [
    ['Everybody', {}],
    ['First', { clientGuid: stage.client }],
  ]
  for (const [word, place] of templates)
    await publish(
      await made({ kind: 'statement', languageCode: 'en', source: `${word}\n${parts}`, ...place }),
    )
  const body = { kind: 'statement', languageCode: 'en' }
  const first = await stage.register({ principal: 100 })
  const second = await stage.register({ principal: 100, clientGuid: stage.other })
  assert.match(await letter(first.debtorGuid, body), /^First/)
  assert.match(await letter(second.debtorGuid, body), /^Everybody/)
  assert.match((await preview('#client')).body.text, /Sample Shop/)
  const name = (await api.call<{ name: string }>('GET', `/clients/${stage.other}`)).body.name
  assert.match((await preview('#client', { clientGuid: stage.other })).body.text, new RegExp(name))
  const { body: list } = await api.call<{ value: LetterTemplateItem[] }>('GET', '/lettertemplates')
  assert.deepEqual(
    list.value.map(({ clientGuid }) => clientGuid),
    [null, stage.client],
  )
  const nowhere = { kind: 'demand', languageCode: 'en', clientGuid: first.debtorGuid }
  assertProblem(await create(nowhere), 'not-found', /client/)
  assertProblem(await create({ ...nowhere, clientGuid: 'x' }), 'invalid', /clientGuid/)
  await clear()
})

test('a letter keeps the version with which it was written, as text, image and PDF', async () => {
  const guid = await made({ kind: 'statement', languageCode: 'en', source: `Before\n${parts}` })
  await publish(guid)
  const { debtorGuid } = await stage.register({ principal: 100 })
  const sent = await api.call<{ documentGuid: string }>('POST', `/debtors/${debtorGuid}/documents`, {
    body: { language: 'en' },
  })
  await change(guid, `After\n${parts}`)
  await publish(guid)
  const { documentGuid } = sent.body
  const image = await api.call<LetterImage>('GET', `/documents/${documentGuid}/image`)
  assert.match(image.body.text, /^Before/)
  const pdf = await api.call('GET', `/documents/${documentGuid}`)
  assert.match(pdf.text, /^%PDF/)
  assert.match(await letter(debtorGuid, { kind: 'statement', languageCode: 'en' }), /^After/)
  await api.sql`delete from document`
  await clear()
})

test('templates are for unrestricted administrators alone, and every change is an event (deleteLetterTemplate)', async () => {
  const handler = await api.signIn(3)
  assertProblem(await create({ kind: 'legal', languageCode: 'en' }, handler), 'forbidden', /system\.admin/)
  const list = await api.call('GET', '/lettertemplates', { token: handler })
  assertProblem(list, 'forbidden', /system\.admin/)
  const dry = await api.call<{ status: number }>('POST', '/lettertemplates?dryRun=true', {
    body: { kind: 'legal', languageCode: 'en' },
  })
  assert.equal(dry.body.status, 201)
  const guid = await made({ kind: 'legal', languageCode: 'en' })
  await change(guid, `Changed\n${parts}`)
  await publish(guid)
  await withdraw(guid)
  const other = await made({ kind: 'legal', languageCode: 'sv' })
  await remove(other)
  const rows = await api.sql<{ type: string }[]>`
    select type from audit_entry where subject in (${guid}, ${other}) order by position`
  assert.deepEqual(
    rows.map(({ type }) => type.replace('lettertemplate.', '')),
    ['created', 'updated', 'published', 'withdrawn', 'created', 'deleted'],
  )
})

test('a preview is about a real case that the caller may see (previewLetterTemplate)', async () => {
  const { debtorGuid, caseGuid } = await stage.register()
  const [debtor] = await api.sql<
    { name: string }[]
  >`select full_name as name from debtor where id = ${debtorGuid}`
  const tried = await preview('#debtor owes #total on #cases', { kind: 'demand', caseGuid })
  assert.equal(tried.status, 200, tried.text)
  const [found] = await api.sql<
    { number: string }[]
  >`select case_number as number from debt_case where id = ${caseGuid}`
  assert.match(tried.body.text, new RegExp(`^${debtor!.name} owes [\\d.,\\s]+ SEK on ${found!.number}`))
  assert.match(tried.body.image ?? '', /<svg/)
  assert.equal((await preview('#total', { caseGuid: api.token })).status, 400)
  const unknown = await preview('#total', { caseGuid: '00000000-0000-0000-0000-000000000000' })
  assertProblem(unknown, 'not-found', /case/)
  assertProblem(await preview('#plan', { kind: 'plan', caseGuid }), 'unprocessable', /payment plan/)
  await stage.pay({ caseGuid, amount: 1000, currencyCode: 'SEK' })
  assertProblem(await preview('#total', { kind: 'demand', caseGuid }), 'unprocessable', /Nothing is owed/)
})
