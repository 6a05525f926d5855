/** The state of the import of one file: how it is read, what a check told, and what became of it. */
import { useRef, useState } from 'react'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import { useWork } from '../../widgets/use-work.ts'
import {
  discardUpload,
  inspectImport,
  runImport,
  uploadImport,
  type ImportChoices,
  type ImportOutcome,
} from './import-work.ts'

/** Told from the file, except what the user chose before the columns were told anew. */
const startChoices = (inspection: FileInspection, kept?: ImportChoices): ImportChoices => ({
  what: inspection.what,
  encoding: inspection.encoding,
  delimiter: inspection.delimiter,
  dates: inspection.dates,
  decimals: inspection.decimals,
  source: kept?.source ?? 'import',
  members: inspection.columns.map(({ member }) => member),
  // A client may be kept, of one kind of file to the next, but not the party of users.
  client: kept && (kept.what === 'users') === (inspection.what === 'users') ? kept.client : null,
  countryCode: kept?.what === inspection.what ? kept.countryCode : inspection.countryCode,
})

export type Phase = 'checking' | 'importing'
export interface Result {
  fileGuid: string
  outcome: ImportOutcome
}

export function useImport(file: File, first: FileInspection) {
  const [inspection, setInspection] = useState(first)
  const [choices, setChoices] = useState(() => startChoices(first))
  const [checked, setChecked] = useState<Result>()
  const [imported, setImported] = useState<Result>()
  const uploaded = useRef<string>(undefined)
  const { work, phase, percent, setPercent, run } = usePhases()

  const forget = () => {
    setChecked(undefined)
    if (uploaded.current !== undefined) void discardUpload(uploaded.current)
    uploaded.current = undefined
  }
  const change = (next: Partial<ImportChoices>) => {
    forget()
    setChoices({ ...choices, ...next })
  }
  /** Another kind, encoding or delimiter: the columns are told anew. */
  const inspectAgain = (known: Partial<Pick<ImportChoices, 'what' | 'encoding' | 'delimiter'>>) => {
    forget()
    void work.run(async () => {
      const { what, encoding, delimiter } = { ...choices, ...known }
      const next = await inspectImport(file, { what, encoding, delimiter })
      setInspection(next)
      setChoices(startChoices(next, choices))
    })
  }
  const check = () =>
    run('checking', async () => {
      const fileGuid = (uploaded.current ??= await uploadImport(file, inspection, choices))
      setChecked({ fileGuid, outcome: await runImport('check-import', fileGuid, setPercent) })
    })
  const start = ({ fileGuid }: Result) =>
    run('importing', async () => {
      const outcome = await runImport('import', fileGuid, setPercent)
      uploaded.current = undefined
      setImported({ fileGuid, outcome })
    })
  return {
    inspection,
    choices,
    phase,
    percent,
    checked,
    imported,
    work,
    change,
    inspectAgain,
    check,
    start,
    forget,
  }
}

/** What runs now, as a job with progress. */
function usePhases() {
  const [phase, setPhase] = useState<Phase>()
  const [percent, setPercent] = useState(0)
  const work = useWork()
  const run = (name: Phase, job: () => Promise<void>) =>
    work.run(async () => {
      setPhase(name)
      setPercent(0)
      try {
        await job()
      } finally {
        setPhase(undefined)
      }
    })
  return { work, phase, percent, setPercent, run }
}
