import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import patterns from '../../data/refusals.json' with { type: 'json' }
import { fillPlaceholders } from './fill-in.ts'
import { findRefusal } from './refusals.ts'
import { texts } from './texts.ts'

const all = Object.entries(patterns).flatMap(([key, list]) => list.map((pattern) => ({ key, pattern })))
const filled = (pattern: string) => pattern.replaceAll(/\{(\w+)\}/g, '17')

test('each pattern is found by its message, and no other pattern comes before it', () => {
  const wrong = all.flatMap(({ key, pattern }) => {
    const found = findRefusal(filled(pattern))?.key
    return found === key ? [] : [`${key}: ${pattern} is taken for ${found}`]
  })
  assert.deepEqual(wrong, [])
})

test('a text has only places that every message of its key fills', () => {
  const empty = all.flatMap(({ key, pattern }) => {
    const { values } = findRefusal(filled(pattern))!
    const own: Readonly<Record<string, string>> = texts.en.refusal
    const said = fillPlaceholders(own[key]!, values)
    return said.includes('{') ? [`${key}: ${pattern} leaves ${said}`] : []
  })
  assert.deepEqual(empty, [])
})

test('every refusal of a change of status, hold or plan has words', () => {
  const source = readFileSync('core/cases/case-lifecycle.ts', 'utf8')
  const given = [...source.matchAll(/refuse\(\s*life,\s*(['`])((?:(?!\1).)*)\1/gs)].map(([, , text]) => text!)
  const said = given.filter((text) => !text.startsWith('${refusals'))
  assert.ok(said.length > 12, `${said.length} messages`)
  assert.deepEqual(
    said.filter((text) => findRefusal(text.replaceAll(/\$\{[^}]*\}/g, '17')) === undefined),
    [],
  )
})

test('a message says what its places have', () => {
  const { key, values } = findRefusal(
    'has 7 cells, but the heading line has 6. Put a cell that has a delimiter in it in quotes.',
  )!
  assert.equal(
    fillPlaceholders(texts.sv.refusal[key], values),
    'Raden har 7 celler och rubrikraden 6. Sätt en cell som innehåller skiljetecknet inom citattecken.',
  )
  assert.equal(findRefusal('is a message that nobody has put into words.'), undefined)
})
