/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { checkEmail } from './email.ts'

test('accepted addresses', () => {
  const table: [string, string][] = [
    ['asa.lindqvist@example.com', 'asa.lindqvist@example.com'],
    [' Asa.Lindqvist+1@EXAMPLE.com ', 'Asa.Lindqvist+1@example.com'],
    ['x@debtor.example', 'x@debtor.example'],
    ['x@debtor.test', 'x@debtor.test'],
    ['åsa@ÅÄÖ.se', 'åsa@åäö.se'],
    ['x@xn--4cab6c.se', 'x@xn--4cab6c.se'],
  ]
  for (const [text, email] of table) assert.deepEqual(checkEmail(text), { ok: true, email })
})

test('refused texts', () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.se`
  const texts = ['', 'a', 'a@localhost', '@b.se', 'a@b@c.se', '"a b"@x.se', 'a\r\nBcc: b@x.se', 'a b@x.se']
  for (const text of [...texts, 'x@[127.0.0.1]', 'Åsa <a@x.se>', 'a..b@x.se', 'a@x.se\u0000', long]) {
    const result = checkEmail(text)
    assert.ok(!result.ok, text)
    assert.ok(text.length < 4 || !result.message.includes(text))
  }
})

test('no text throws and the result is stable', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), (text) => {
      const result = checkEmail(text)
      if (result.ok) assert.deepEqual(checkEmail(result.email), result)
    }),
  )
})
