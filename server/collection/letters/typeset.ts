/**
 * Typesets letters and reports as PDF/A-2b, the archiving format, with Typst. Callers do not depend on Typst,
 * so another typesetter can replace it.
 */
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { join } from 'node:path'
import type { LetterData } from './letter-data.ts'

const letterTemplate = join(import.meta.dirname, 'letter.typ')
const reportTemplate = join(import.meta.dirname, 'report.typ')
let compiler: NodeCompiler | undefined

/** Loads the compiler on first use: with its fonts it is 50 MB of native code. */
async function openCompiler(): Promise<NodeCompiler> {
  if (compiler) return compiler
  const typst = await import('@myriaddreamin/typst-ts-node-compiler')
  compiler ??= typst.NodeCompiler.create({ workspace: import.meta.dirname })
  return compiler
}

/**
 * Typesets a letter. The data is passed as JSON text and never becomes part of the template, so user text is
 * not interpreted as markup. `createdAt` is stored in the file, so the same letter has the same bytes. Blocks
 * the thread for some milliseconds.
 */
export const typeset = (data: LetterData, createdAt: Date): Promise<Buffer> =>
  compile(letterTemplate, data, createdAt)

/** Input of the report template: texts, with amounts already formatted. */
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

/** The pages of a letter as one SVG image: text as outlines, without scripts and references. */
export async function drawLetter(data: LetterData): Promise<string> {
  const { typst, document } = await layOut(letterTemplate, data)
  const image = typst.plainSvg(document)
  typst.evictCache(10)
  return image
}

async function compile(template: string, data: object, createdAt: Date): Promise<Buffer> {
  const { typst, document } = await layOut(template, data)
  const pdf = typst.pdf(document, {
    pdfStandard: 'a-2b',
    creationTimestamp: Math.floor(createdAt.getTime() / 1000),
  })
  typst.evictCache(10)
  return pdf
}

async function layOut(template: string, data: object) {
  const typst = await openCompiler()
  const compiled = typst.compile({ mainFilePath: template, inputs: { data: JSON.stringify(data) } })
  const document = compiled.result
  if (!document) {
    const faults = compiled.takeDiagnostics()?.shortDiagnostics.length ?? 0
    throw new Error(`The document could not be typeset: ${faults} faults.`)
  }
  return { typst, document }
}
