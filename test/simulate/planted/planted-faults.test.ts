/**
 * The text that a planted fault replaces occurs once in its file. Otherwise the process would fail at its start, which
 * looks as if the simulator had found the fault.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantedFaults } from './planted-faults.ts'

const root = join(import.meta.dirname, '../../..')

for (const [name, { file, from, to }] of Object.entries(plantedFaults))
  test(`the place of ${name} is in the source, once`, () => {
    assert.equal(readFileSync(join(root, file), 'utf8').split(from).length - 1, 1, from)
    assert.notEqual(from, to)
  })
