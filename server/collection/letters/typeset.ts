/**
 * Typesets letters and reports as PDF/A-2b, the archiving format, with Typst. Callers do not depend on Typst,
 * so another typesetter can replace it.
 */
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { join } from 'node:path'
import { templateVariables } from '../../../contract/collection/letter-templates.ts'
import type { LetterData } from './letter-data.ts'

const sources = join(import.meta.dirname, 'typst')
const letterTemplate = join(sources, 'letter.typ')
const reportTemplate = join(sources, 'report.typ')
/** Exists in the compiler's memory only. */
const ownTemplate = join(sources, 'own-letter.typ')
/** One line, so that the line of a fault is that of the template. */
const ownBegin = `#import "letter-variables.typ": sheet, ${templateVariables.join(', ')}; #show: sheet`
let compiler: NodeCompiler | undefined

/** Loads the compiler on first use: with its fonts it is 50 MB of native code. */
async function openCompiler(): Promise<NodeCompiler> {
  if (compiler) return compiler
  const typst = await import('@myriaddreamin/typst-ts-node-compiler')
  compiler ??= typst.NodeCompiler.create({ workspace: sources })
  return compiler
}

/**
 * Typesets a letter. The data is passed as JSON text and never becomes part of the template, so user text is
 * not interpreted as markup. `createdAt` is stored in the file, so the same letter has the same bytes. Blocks
 * the thread for some milliseconds. `source` is the checked template of an administrator.
 */
export const typeset = (data: LetterData, createdAt: Date, source?: string): Promise<Buffer> =>
  compile({ file: letterTemplate, source }, data, createdAt)

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
  compile({ file: reportTemplate }, data, createdAt)

/** The pages of a letter as one SVG image: text as outlines, without scripts and references. */
export async function drawLetter(data: LetterData, source?: string): Promise<string> {
  const { typst, document } = await layOut({ file: letterTemplate, source }, data)
  const image = typst.plainSvg(document)
  typst.evictCache(10)
  return image
}

/** A fault that the typesetter found. Line and column from 1; 0 when it is not in the template. */
export interface TypesetFault {
  line: number
  column: number
  message: string
}

/** Tries a template of an administrator. The image is null when there are faults. */
export async function tryTemplate(
  data: LetterData,
  source: string,
): Promise<{ image: string | null; faults: TypesetFault[] }> {
  const typst = await openCompiler()
  const compiled = compileWith(typst, { file: letterTemplate, source }, data)
  const document = compiled.result
  const image = document ? typst.plainSvg(document) : null
  typst.evictCache(10)
  if (image !== null) return { image, faults: [] }
  const diagnostics = compiled.takeDiagnostics()
  const found = diagnostics ? (typst.fetchDiagnostics(diagnostics) as Diagnostic[]) : []
  return {
    image: null,
    faults: found.map(({ message, path, range }) => {
      const start = path === ownTemplate ? range?.start : undefined
      return { line: start?.line ?? 0, column: start ? start.character + 1 : 0, message }
    }),
  }
}

interface Diagnostic {
  message: string
  path: string
  range: { start: { line: number; character: number } } | null
}

interface Template {
  file: string
  /** Takes the place of the file. */
  source?: string | undefined
}

async function compile(template: Template, data: object, createdAt: Date): Promise<Buffer> {
  const { typst, document } = await layOut(template, data)
  const pdf = typst.pdf(document, {
    pdfStandard: 'a-2b',
    creationTimestamp: Math.floor(createdAt.getTime() / 1000),
  })
  typst.evictCache(10)
  return pdf
}

function compileWith(typst: NodeCompiler, { file, source }: Template, data: object) {
  if (source !== undefined) typst.addSource(ownTemplate, `${ownBegin}\n${source}`)
  return typst.compile({
    mainFilePath: source === undefined ? file : ownTemplate,
    inputs: { data: JSON.stringify(data) },
  })
}

async function layOut(template: Template, data: object) {
  const typst = await openCompiler()
  const compiled = compileWith(typst, template, data)
  const document = compiled.result
  if (!document) {
    const faults = compiled.takeDiagnostics()?.shortDiagnostics.length ?? 0
    throw new Error(`The document could not be typeset: ${faults} faults.`)
  }
  return { typst, document }
}
