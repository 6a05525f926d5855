/** Serves sources of the product with faults in them, without writing any file. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plantedFaults } from './planted-faults.ts'

const root = join(import.meta.dirname, '../../..')

/** Names are separated by commas. Throws where a fault's place is no longer in the source. */
export function plant(names: string | undefined): void {
  if (names === undefined || names === '') return
  const changed = new Map<string, string>()
  for (const name of names.split(',')) {
    const fault = plantedFaults[name]
    if (!fault)
      throw new Error(`There is no planted fault ${name}: ${Object.keys(plantedFaults).join(', ')}.`)
    const path = join(root, fault.file)
    const before = changed.get(path) ?? readFileSync(path, 'utf8')
    const text = before.replace(fault.from, () => fault.to)
    if (text === before) throw new Error(`The place of the planted fault ${name} is gone from ${fault.file}.`)
    changed.set(path, text)
  }
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined
      if (source === undefined) return next(url, context)
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
