/** Every language has every text, with the same places to fill in, and every text that is asked for is there. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '..')
const read = (language: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')) as Record<string, string>
const english = read('en')
const placesOf = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).toSorted()

for (const language of ['sv', 'no', 'da', 'fi', 'de']) {
  test(`${language} says everything that English says`, () => {
    const texts = read(language)
    assert.deepEqual(Object.keys(texts), Object.keys(english))
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(text.trim().length > 0, key)
      assert.deepEqual(placesOf(text), placesOf(english[key]!), key)
    }
  })
}

test('every text is used', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  const code = files.map((path) => readFileSync(join(source, path), 'utf8')).join('\n')
  // Families that are put together from what the contract calls things.
  const families =
    /^(amounts|bulk|plan|dashboard|command|audit|code|entity|field|fault|operator|problem|navigation|report|access|mfa|signIn\.oidc)[.-]/
  const unused = Object.keys(english)
    .filter((key) => !families.test(key))
    .filter((key) => !code.includes(`'${key.replace(/_(one|other)$/, '')}'`))
  assert.deepEqual(unused, [])
})

test('what the audit trail and the timeline tell of has words', () => {
  const server = join(source, '../../server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const code = files.map((path) => readFileSync(join(server, path), 'utf8')).join('\n')
  const told = [...code.matchAll(/(?:type: |noteOf\(\s*)'([a-z]{2,})\.([a-z_]+)'/g)]
  assert.ok(told.length > 20)
  const missing = told
    .flatMap(([, entity, action]) => [`entity.${entity}`, `audit.${action}`])
    .filter((key) => !(key in english))
  assert.deepEqual(missing, [])
})
