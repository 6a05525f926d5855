/** Inspects a file before its import: what the wizard shows, and lets the user change. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  importedKinds,
  type FileEncoding,
  type ImportedKind,
} from '../../../../contract/integration/imported-kinds.ts'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import type { Language } from '../../../../contract/platform/languages.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { CustomField } from '../../../platform/dictionary/custom-field.ts'
import { listCustomFields } from '../../../platform/dictionary/custom-fields.store.ts'
import { referenceName } from '../reading/columns.ts'
import { ImportRefused } from '../reading/import-refused.ts'
import { inspectFile, type FileFacts } from '../reading/inspect-file.ts'
import { openTable } from '../reading/open-table.ts'
import { readLines } from '../reading/read-lines.ts'
import { isRejectedColumn } from '../reading/rejected-columns.ts'
import { findUsualCountry } from '../row-filler.ts'
import { guessEncoding } from './guess-encoding.ts'
import { importLabel, kindFields } from './kind-fields.ts'
import { headingMatcher, isKnownHeading } from './match-headings.ts'
import {
  fieldsByForm,
  guessDates,
  guessDecimals,
  recogniseValues,
  type RecogniseContext,
} from './recognise-values.ts'

export interface InspectionRequest {
  fileName: string
  beginning?: boolean | undefined
  what?: ImportedKind | undefined
  delimiter?: string | undefined
  encoding?: FileEncoding | undefined
}

export interface InspectionContext extends RecogniseContext {
  language: Language
  /** The kinds that the caller may import. */
  kinds: readonly ImportedKind[]
}

const rowsMax = 200
const examplesMax = 3
const exampleLength = 60

/** Throws ImportRefused for what cannot be read. */
export async function inspectUpload(
  db: Db,
  bytes: Buffer,
  request: InspectionRequest,
  context: InspectionContext,
): Promise<FileInspection> {
  const folder = await mkdtemp(join(tmpdir(), 'fordra-inspect-'))
  try {
    // The ending tells NDJSON from CSV; the rest of the name does not go to the disk.
    const path = join(folder, `file${/\.(ndjson|jsonl|csv|tsv|txt)$/i.exec(request.fileName)?.[0] ?? ''}`)
    await writeFile(path, bytes, { mode: 0o600 })
    const encoding = request.encoding ?? guessEncoding(bytes)
    const file = await inspectFile(path, { encoding })
    const sample = await readSample(file, request)
    const usualCountry = await findUsualCountry(db, context.countryCode)
    return describe(sample, file, request, { ...context, usualCountry, custom: await listCustomFields(db) })
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    // The message must not show the server's folder.
    throw new ImportRefused(error.message.replaceAll(new RegExp(`${folder}/file(\\.\\w+)?`, 'g'), 'The file'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sample {
  delimiter: string | null
  sheet: string | null
  headings: readonly string[]
  rows: readonly (readonly string[])[]
}

async function readSample(file: FileFacts, { delimiter, beginning }: InspectionRequest): Promise<Sample> {
  if (file.format === 'ndjson') return readJsonSample(file)
  const known = new Set(importedKinds.flatMap((what) => Object.keys(kindFields[what].schema.properties)))
  const table = await openTable(file, (heading) => known.has(heading), {
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
  })
  const rows: string[][] = []
  for await (const { records } of table.blocks) {
    rows.push(...records.flatMap((record) => ('cells' in record ? [record.cells] : [])))
    if (rows.length > rowsMax) break
  }
  await table.close()
  // The last row of a beginning may be cut off.
  const whole = beginning === true && rows.length <= rowsMax ? rows.slice(0, -1) : rows
  return {
    delimiter: file.format === 'xlsx' ? null : table.delimiter,
    sheet: table.sheet,
    headings: table.heading,
    rows: whole.slice(0, rowsMax),
  }
}

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

async function readJsonSample(file: FileFacts): Promise<Sample> {
  const objects: Record<string, unknown>[] = []
  for await (const { lines } of readLines(file)) {
    for (const line of lines) {
      try {
        const value: unknown = JSON.parse(line ?? '')
        if (typeof value === 'object' && value !== null) objects.push(value as Record<string, unknown>)
      } catch {
        // The import rejects such a line with its reason.
      }
    }
    if (objects.length > rowsMax) break
  }
  const headings = [...new Set(objects.slice(0, rowsMax).flatMap((one) => Object.keys(one)))]
  const rows = objects.slice(0, rowsMax).map((one) => headings.map((name) => toText(one[name])))
  return { delimiter: null, sheet: null, headings, rows }
}

type DescribeContext = InspectionContext & { usualCountry: string; custom: readonly CustomField[] }

function describe(
  { delimiter, sheet, headings, rows }: Sample,
  { format, encoding }: FileFacts,
  request: InspectionRequest,
  context: DescribeContext,
): FileInspection {
  const what = request.what ?? guessKind(headings, context)
  const values = headings.map((_, index) => rows.map((row) => row[index]?.trim() ?? ''))
  const matched = matchColumns(what, headings, values, context)
  const findKind = (member: string | null) => fieldKind(what, member)
  const findValues = (kind: string) =>
    matched.flatMap(({ member }, index) => (findKind(member) === kind ? values[index]! : []))
  return {
    format,
    encoding,
    delimiter: delimiter === null ? null : delimiter === '\t' ? 'tab' : (delimiter as ','),
    sheet,
    dates: guessDates(findValues('date')),
    decimals: guessDecimals(findValues('number')),
    what,
    countryCode: what === 'debtors' ? context.usualCountry : null,
    columns: headings.map((heading, index) => ({
      heading,
      examples: [...new Set(values[index]!.filter((value) => value !== ''))]
        .slice(0, examplesMax)
        .map((value) => (value.length > exampleLength ? `${value.slice(0, exampleLength)}…` : value)),
      ...matched[index]!,
    })),
    fields: listFields(what, context),
    needed: kindFields[what].required.map((group) => [...group]),
  }
}

function fieldKind(what: ImportedKind, member: string | null): string {
  if (member === null) return ''
  const property = kindFields[what].schema.properties[member] as
    { type?: string | string[]; 'x-field'?: { kind?: string } } | undefined
  if (property?.['x-field']?.kind === 'date') return 'date'
  return [property?.type].flat().includes('number') ? 'number' : ''
}

const customFields = (what: ImportedKind, { custom, language }: DescribeContext) =>
  custom
    .filter(({ entity, hidden, type }) => entity === kindFields[what].custom && !hidden && type !== null)
    .map(({ code, labels }) => ({ name: code, label: labels[language] ?? code }))

type Match = Pick<FileInspection['columns'][number], 'member' | 'matchedBy'>

function matchColumns(
  what: ImportedKind,
  headings: readonly string[],
  values: readonly (readonly string[])[],
  context: DescribeContext,
): Match[] {
  const names = headings.map((heading) => (isRejectedColumn(heading) ? '' : heading))
  const byHeading = headingMatcher(what, customFields(what, context)).match(names)
  const taken = new Set(byHeading)
  const { properties } = kindFields[what].schema
  return byHeading.map((member, index): Match => {
    if (member !== null) return { member, matchedBy: 'heading' }
    const isNamed = names[index] === '' ? headings[index] !== '' : isKnownHeading(names[index]!)
    const form = isNamed ? undefined : recogniseValues(values[index]!, context)
    const found =
      form && fieldsByForm[form].find((name) => Object.hasOwn(properties, name) && !taken.has(name))
    if (found === undefined) return { member: null, matchedBy: null }
    taken.add(found)
    return { member: found, matchedBy: 'values' }
  })
}

/** The kind whose fields most headings name. Fields that it needs count more. The party of users is often left out. */
function guessKind(headings: readonly string[], context: DescribeContext): ImportedKind {
  const scored = context.kinds.map((what) => {
    const found = new Set(headingMatcher(what, customFields(what, context)).match(headings))
    const needed = kindFields[what].required
    const present = needed.filter((names) => names.some((name) => found.has(name))).length
    const isForgiven = what === 'users' && !found.has('partyReferenceCode')
    const missing = needed.length - present - (isForgiven ? 1 : 0)
    found.delete(null)
    return { what, score: found.size + 2 * present - 3 * missing }
  })
  return scored.toSorted((one, other) => other.score - one.score)[0]?.what ?? 'debtors'
}

function listFields(what: ImportedKind, context: DescribeContext): FileInspection['fields'] {
  const { schema, required } = kindFields[what]
  const names = [referenceName, ...Object.keys(schema.properties)]
  return [
    ...names.map((name) => ({
      name,
      label: importLabel(context.language, what, name),
      required: required.some((group) => group.includes(name)),
    })),
    ...customFields(what, context).map((field) => ({ ...field, required: false })),
  ]
}
