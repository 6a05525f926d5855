/** The calls of the import wizard: inspect, upload, and run its jobs. */
import {
  fileEncodings,
  kindsOfParties,
  type FileEncoding,
  type ImportedKind,
} from '../../../../contract/integration/imported-kinds.ts'
import type { CellFault } from '../../../../contract/integration/cell-faults.ts'
import { inspectedBytesMax, type FileInspection } from '../../../../contract/integration/inspections.ts'
import type { Job } from '../../../../contract/platform/jobs.ts'
import { api } from '../../api/client.ts'
import { loadRefusals } from '../../texts/refusal-text.ts'

export interface Rejection {
  line: number
  field: string
  reason: string
  /** The reason in parts, of a cell that is not what its column holds. */
  cell?: CellFault
}

export interface BarredClaim {
  line: number
  sourceReference: string | null
  barredOn: string
}

export interface ImportOutcome {
  rows: number
  inserted: number
  alreadyThere: number
  rejected: number
  firstRejections: Rejection[]
  /** Claims that are time-barred, of all that go in. */
  barred: number
  firstBarred: BarredClaim[]
}

/** What the user may change of what was told. */
export type ImportChoices = Pick<FileInspection, 'what' | 'encoding' | 'delimiter' | 'dates' | 'decimals'> & {
  source: string
  /** The field of each column; null leaves it out. */
  members: (string | null)[]
  /** The client of the rows that name none; null for no such client. */
  client: string | null
  /** The country of the debtors' addresses that name none; null for no such country. */
  countryCode: string | null
}

const beginningBytes = 1_048_576
const nameMax = 200

/** A file name that the service takes. */
const uploadName = ({ name }: File) => name.slice(-nameMax)

async function isWorkbook(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return start[0] === 0x50 && start[1] === 0x4b
}

type Known = Partial<Pick<FileInspection, 'what' | 'encoding' | 'delimiter'>>

/** Only the beginning of a text file is sent; a workbook cannot be read without its end. */
export async function inspectImport(file: File, known: Known = {}): Promise<FileInspection> {
  const most = (await isWorkbook(file)) ? inspectedBytesMax + 1 : beginningBytes
  const { what, encoding, delimiter } = known
  return api.inspectFile({
    fileName: uploadName(file),
    ...(file.size > most && { beginning: true }),
    ...(what && { what }),
    ...(encoding && { encoding }),
    ...(delimiter && { delimiter }),
    body: file.slice(0, most),
  })
}

/** Uploads the file as it is to be read. Returns its GUID. */
export async function uploadImport(
  file: File,
  { format }: FileInspection,
  { what, source, encoding, delimiter, dates, decimals, members, client, countryCode }: ImportChoices,
): Promise<string> {
  const { fileGuid } = await api.uploadFile({
    what,
    fileName: uploadName(file),
    source,
    ...(format !== 'xlsx' && { encoding }),
    ...(delimiter && format === 'csv' && { delimiter }),
    ...(dates && { dates }),
    ...(decimals && { decimals }),
    ...(what === 'debtors' && { countryCode: countryCode ?? 'none' }),
    ...(client !== null && kindsOfParties.includes(what) && { client }),
    ...(format !== 'ndjson' && { columns: members.map((member) => member ?? '').join(',') }),
    body: file,
  })
  return fileGuid
}

/** Removes a file that is not imported. The service deletes it later anyway. */
export const discardUpload = (fileGuid: string): Promise<unknown> =>
  api.deleteFile({ fileGuid }).catch(() => undefined)

export class JobFailed extends Error {}

const pollMs = 300

/** Runs a command on the uploaded file until it ends; `progress` gets its share, 0 to 100. */
export async function runImport(
  command: 'import' | 'check-import',
  fileGuid: string,
  progress: (percent: number) => void,
): Promise<ImportOutcome> {
  const [started] = await Promise.all([
    api.runCommand({ command, body: { argument: [fileGuid] } }),
    loadRefusals(),
  ])
  const jobId = String((started as { jobId?: unknown }).jobId)
  for (;;) {
    const job: Job = await api.getJob({ jobId })
    if (job.status === 'completed') return toOutcome(job.result ?? {})
    if (job.status === 'failed' || job.status === 'cancelled') throw new JobFailed(job.lastError ?? '')
    if (job.progressDone !== null && job.progressTotal)
      progress(Math.round((100 * job.progressDone) / job.progressTotal))
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function toOutcome(result: Record<string, unknown>): ImportOutcome {
  const count = (name: string) => Number(result[name] ?? 0)
  return {
    rows: count('rows'),
    inserted: count('inserted'),
    alreadyThere: count('alreadyThere'),
    rejected: count('rejected'),
    firstRejections: (result['firstRejections'] ?? []) as Rejection[],
    barred: count('barred'),
    firstBarred: (result['firstBarred'] ?? []) as BarredClaim[],
  }
}

/** The names by which people know encodings. */
export const encodingNames: Readonly<Record<FileEncoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (ISO-8859-1)',
  'iso-8859-15': 'ISO-8859-15',
  'windows-1250': 'Windows-1250',
  macintosh: 'Mac OS Roman',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
}
export const encodingOptions = fileEncodings.map((value) => ({ value, label: encodingNames[value] }))

export const isKind = (what: string, kinds: readonly ImportedKind[]): what is ImportedKind =>
  (kinds as readonly string[]).includes(what)
