/** Makes a PDF of a letter or a report by Typst: PDF/A-2b, the form for keeping. Behind this one function, so that another typesetter can take its place. */
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { join } from 'node:path'
import type { LetterData } from './letter-data.ts'

const letterTemplate = join(import.meta.dirname, 'letter.typ')
const reportTemplate = join(import.meta.dirname, 'report.typ')
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
export const typeset = (data: LetterData, createdAt: Date): Promise<Buffer> =>
  compile(letterTemplate, data, createdAt)

/** What the template of a report gets: texts and amounts as they are to be read. */
export interface ReportData {
  lang: string
  title: string
  sender: string
  subtitle: string
  columns: { title: string; right: boolean }[]
  rows: string[][]
  totals: string[][]
  labels: { page: string; total: string }
}

export const typesetReport = (data: ReportData, createdAt: Date): Promise<Buffer> =>
  compile(reportTemplate, data, createdAt)

async function compile(template: string, data: object, createdAt: Date): Promise<Buffer> {
  const typst = await openCompiler()
  const compiled = typst.compile({ mainFilePath: template, inputs: { data: JSON.stringify(data) } })
  const document = compiled.result
  if (!document) {
    const faults = compiled.takeDiagnostics()?.shortDiagnostics.length ?? 0
    throw new Error(`The document could not be typeset: ${faults} faults.`)
  }
  const pdf = typst.pdf(document, {
    pdfStandard: 'a-2b',
    creationTimestamp: Math.floor(createdAt.getTime() / 1000),
  })
  typst.evictCache(10)
  return pdf
}
