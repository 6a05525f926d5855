/** Imports of files, some of them sent again with the same rows. */
import { dayText, isDone, readText, type Operation, type Run } from './operation.ts'

interface ImportedFile {
  what: 'debtors' | 'cases' | 'payments'
  content: string
}

async function makeFile({ model, random, simulation }: Run): Promise<ImportedFile> {
  const rows = 1 + random.below(5)
  const lines = (heading: string, line: (row: number) => string) =>
    [heading, ...Array.from({ length: rows }, (_, row) => line(row)), ''].join('\n')
  const known = model.cases.length > 0
  const what = known ? random.pick(['debtors', 'cases', 'payments'] as const) : 'debtors'
  if (what === 'debtors')
    return { what, content: lines('sourceReference,lastname', (row) => `R${row},Import ${row}`) }
  const [debtor] = await simulation.sql<{ reference: string }[]>`
    select debtor_reference as reference from debtor order by id limit 1`.catch(
    // The database is just going down.
    () => [],
  )
  const reference = debtor?.reference ?? 'none'
  if (what === 'cases')
    return {
      what,
      content: lines(
        'sourceReference,partyReferenceCode,debtorReference,principal,dueDate',
        (row) => `R${row},${random.pick(['ALFA', 'HEMLIG'])},${reference},${100 + row},${dayText(0)}`,
      ),
    }
  return {
    what,
    content: lines(
      'sourceReference,paymentReferenceNumber,amount',
      (row) => `R${row},${random.pick(model.cases).reference},${1 + random.below(300)}`,
    ),
  }
}

async function importFile(run: Run, { what, content }: ImportedFile, source: string): Promise<void> {
  const { client, model } = run
  const query = new URLSearchParams({ what, source, fileName: `${what}.csv` }).toString()
  const uploaded = await client.send('uploadFile', `/system/files?${query}`, {
    method: 'POST',
    body: content,
    unkeyed: true,
  })
  if (!isDone(uploaded)) return
  const asked = await client.send('command', '/system/commands/import', {
    method: 'POST',
    body: { argument: [readText(uploaded, 'fileGuid')] },
  })
  if (!isDone(asked) || typeof asked.body['jobId'] !== 'string') return
  const jobId = readText(asked, 'jobId')
  model.jobs.push(jobId)
  model.imports.push({ jobId, what, source })
}

export const imports: Operation[] = [
  {
    name: 'import',
    weight: 4,
    run: async (run) => {
      const { random, number } = run
      const file = await makeFile(run)
      const source = `sim${number}`
      await importFile(run, file, source)
      // The same file comes again, also before the first import has ended.
      if (random.chance(0.4)) await importFile(run, file, source)
    },
  },
]
