/** Writes the wheel of the Python client. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../../contract/openapi/openapi.ts'
import { makeWheel, wheelName } from './wheel.ts'
import { makePythonFiles } from '../../client/python/write-package.ts'

const name = 'fordra_client'
const home = join(import.meta.dirname, '../../client/python')
const sources = join(home, name)

/** Every file of the package by its path: written by hand, or made from the document. */
function listPythonFiles(version: string): Record<string, string> {
  const written = readdirSync(sources)
    .filter((file) => file.endsWith('.py'))
    .map((file): [string, string] => [file, readFileSync(join(sources, file), 'utf8')])
  const all = { ...Object.fromEntries(written), ...makePythonFiles(openApiDocument({ version })) }
  return Object.fromEntries(Object.entries(all).map(([file, text]) => [`${name}/${file}`, text]))
}

/** Returns the path of the wheel. */
export function writePythonWheel(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
    license: string
  }
  const { version, license } = manifest
  const file = join(folder, wheelName({ name, version }))
  const wheel = makeWheel({
    name,
    version,
    license,
    summary: 'The typed client of Fordra, an open debt-collection platform.',
    readme: readFileSync(join(home, 'README.md'), 'utf8'),
    files: listPythonFiles(version),
  })
  writeFileSync(file, wheel)
  return file
}
