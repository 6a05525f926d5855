/** Serves a source of the product with a fault in it, without writing any file. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plantedFaults } from './planted-faults.ts'

const root = join(import.meta.dirname, '../../..')

/** Throws where the fault's place is no longer in the source. */
export function plant(name: string | undefined): void {
  if (name === undefined || name === '') return
  const fault = plantedFaults[name]
  if (!fault) throw new Error(`There is no planted fault ${name}: ${Object.keys(plantedFaults).join(', ')}.`)
  const path = join(root, fault.file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(fault.from, () => fault.to)
  if (changed === text) throw new Error(`The place of the planted fault ${name} is gone from ${fault.file}.`)
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || fileURLToPath(url) !== path) return next(url, context)
      return { format: 'module-typescript', source: changed, shortCircuit: true }
    },
  })
}
