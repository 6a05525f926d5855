/** Makes a PDF of a letter by Typst: PDF/A-2b, to be kept. Behind this one function, so that another typesetter can take its place. */
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { join } from 'node:path'
import type { LetterData } from './letter-data.ts'

const template = join(import.meta.dirname, 'letter.typ')
let compiler: NodeCompiler | undefined

/** The compiler is 50 MB of native code with its fonts: it is loaded when the first letter is written. */
async function openCompiler(): Promise<NodeCompiler> {
  if (compiler) return compiler
  const typst = await import('@myriaddreamin/typst-ts-node-compiler')
  compiler ??= typst.NodeCompiler.create({ workspace: import.meta.dirname })
  return compiler
}

/**
 * The data goes in as a JSON text, never into the template: nothing that somebody wrote is read as markup. `createdAt` stands
 * in the file's properties, so that the same letter has the same bytes. Takes some milliseconds of the thread.
 */
export async function typeset(data: LetterData, createdAt: Date): Promise<Buffer> {
  const typst = await openCompiler()
  const compiled = typst.compile({ mainFilePath: template, inputs: { data: JSON.stringify(data) } })
  const document = compiled.result
  if (!document) {
    const faults = compiled.takeDiagnostics()?.shortDiagnostics.length ?? 0
    throw new Error(`The letter could not be typeset: ${faults} faults.`)
  }
  const pdf = typst.pdf(document, {
    pdfStandard: 'a-2b',
    creationTimestamp: Math.floor(createdAt.getTime() / 1000),
  })
  typst.evictCache(10)
  return pdf
}
