import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { format } from 'prettier'
import { lawPacks } from './packs.ts'
import { writeLaw } from './law-page.ts'

test('docs/LAW.md is what the packs say (FORDRA_UPDATE=1 writes it anew)', async () => {
  const written = await format(writeLaw(lawPacks), { parser: 'markdown', printWidth: 110 })
  if (process.env['FORDRA_UPDATE']) writeFileSync('docs/LAW.md', written)
  assert.equal(readFileSync('docs/LAW.md', 'utf8'), written)
  for (const { rules } of lawPacks)
    for (const { code } of rules) assert.ok(written.includes(`\`${code}\``), code)
})
