/** The pictures of payment plans in the documents are what the code draws. `FORDRA_UPDATE=1` draws them anew. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawPictures } from './plan-pictures.ts'

const folder = 'docs/plans'

test('there is a current picture of each type of payment plan', () => {
  const pictures = drawPictures()
  if (process.env['FORDRA_UPDATE'] === '1') {
    mkdirSync(folder, { recursive: true })
    for (const [name, picture] of pictures) writeFileSync(`${folder}/${name}`, picture)
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [...pictures.keys()].toSorted())
  for (const [name, picture] of pictures) {
    assert.equal(readFileSync(`${folder}/${name}`, 'utf8'), picture, `${name} is not current`)
  }
})
