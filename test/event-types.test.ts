/** The types of events are told alike: by the list, by the guide, and by the OpenAPI document, which stays open for more. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { format } from 'prettier'
import { eventTexts } from '../contract/platform/event-texts.ts'
import { eventFilters, eventTypes } from '../contract/platform/event-types.ts'
import type { JsonSchema } from '../contract/openapi/openapi-document.ts'
import { openApiDocument } from '../contract/openapi/openapi.ts'

const guide = 'docs/guides/events.md'
const [begin, end] = ['<!-- types of events -->', '<!-- end of types of events -->']

async function tableOfTypes(): Promise<string> {
  const rows = eventTypes.map((type) => {
    const { when, data } = eventTexts[type]
    const members = data.map((name) => (name.endsWith('?') ? `\`${name.slice(0, -1)}\`?` : `\`${name}\``))
    return `| \`${type}\` | ${when} | ${members.join(', ')} |`
  })
  const lines = ['| type | written when | `data` |', '|---|---|---|', ...rows]
  return (await format(lines.join('\n'), { parser: 'markdown' })).trim()
}

test('the guide has every type (FORDRA_UPDATE=1 writes its table anew)', async () => {
  const text = readFileSync(guide, 'utf8')
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  assert.ok(from > begin.length && to > from, 'the guide has a place for the table')
  const table = await tableOfTypes()
  if (process.env['FORDRA_UPDATE'] === '1') {
    writeFileSync(guide, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`)
    return
  }
  assert.equal(text.slice(from, to).trim(), table)
})

test('types are written as filters take them, each once, and no longer than a type may be', () => {
  assert.equal(new Set(eventTypes).size, eventTypes.length)
  assert.deepEqual(Object.keys(eventTexts).toSorted(), eventTypes.toSorted())
  for (const type of eventTypes) {
    assert.match(type, /^[a-z]+\.[a-z_]+$/)
    assert.ok(type.length <= 50, type)
  }
})

const listed = (schema: JsonSchema) => [schema['type'], schema['enum'], schema['x-extensible-enum']]

test('the document lists them, and takes types that come later for right', () => {
  const { schemas } = openApiDocument({ version: '1' }).components
  const getMembers = (name: string) => schemas[name]!['properties'] as Record<string, JsonSchema>
  assert.deepEqual(listed(getMembers('Event')['type']!), ['string', undefined, eventTypes])
  assert.deepEqual(listed(getMembers('WebhookDelivery')['type']!), ['string', undefined, eventTypes])
  const items = getMembers('Webhook')['types']!['items'] as JsonSchema
  assert.deepEqual(listed(items), ['string', undefined, eventFilters])
})
