/** Writes `operations.d.ts` of the packaged client into its folders: node write-declarations.ts FOLDER… */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { openApiDocument } from '../../contract/openapi/openapi.ts'
import { writeOperations } from '../../client/typescript/write-operations.ts'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const declarations = writeOperations(openApiDocument({ version: manifest.version }))
const text = await format(declarations, {
  parser: 'typescript',
  semi: false,
  singleQuote: true,
  printWidth: 120,
})
for (const folder of process.argv.slice(2)) writeFileSync(join(folder, 'operations.d.ts'), text)
