/**
 * Everything that is stored about a debtor, as JSON: the right of access of article 15 of the General Data Protection
 * Regulation (EU) 2016/679; the caller needs `case.read` for the cases. The result stands in the job's history for a week.
 */
import { defineService, type ServiceApi } from 'fordra/service'

const pageSize = 100

/** All pages of a list, in the order of their keys. */
async function readAll<T>(
  read: (page: { $top: number; $skip: number }) => Promise<{ total: number; value: T[] }>,
) {
  const all: T[] = []
  for (;;) {
    const { total, value } = await read({ $top: pageSize, $skip: all.length })
    all.push(...value)
    if (value.length === 0 || all.length >= total) return all
  }
}

const changesOf = (api: ServiceApi, guid: string) =>
  readAll((query) => api.call('listAuditEntries', { query: { ...query, $filter: `subjectGuid eq ${guid}` } }))

/** A case with its parties, its invoices, every movement and entry, the notes about it, and what was changed. */
async function caseOf(api: ServiceApi, debtorGuid: string, caseGuid: string) {
  const params = { caseGuid }
  const { links: _links, ...found } = await api.call('getCaseByGuid', { params })
  const { movements, transactions } = await api.call('listCaseMovements', { params })
  const { figures } = await api.call('explainCase', { params: { debtorGuid, caseGuid } })
  return {
    ...found,
    // Of the others who have a part in the case their role is the debtor's to know, not who they are.
    debtors: found.debtors.map((one) =>
      one.debtorGuid === debtorGuid ? one : { debtorRole: one.debtorRole },
    ),
    movements,
    transactions,
    explanation: figures,
    notes: await readAll((query) => api.call('listCaseNotes', { params, query })),
    changes: await changesOf(api, caseGuid),
  }
}

async function recordsOf(api: ServiceApi, debtorGuid: string) {
  const params = { debtorGuid }
  const listed = await readAll((query) => api.call('listCases', { params, query }))
  const cases: Awaited<ReturnType<typeof caseOf>>[] = []
  for (const { caseGuid } of listed) cases.push(await caseOf(api, debtorGuid, caseGuid))
  return {
    addresses: await readAll((query) => api.call('listAddresses', { params, query })),
    extraFields: await readAll((query) => api.call('listExtraFields', { params, query })),
    notes: await readAll((query) => api.call('listDebtorNotes', { params, query })),
    documents: await readAll((query) => api.call('listDocuments', { params, query })),
    cases,
    changes: await changesOf(api, debtorGuid),
  }
}

export default defineService({
  code: 'personal-data-export',
  scope: 'debtor',
  description: 'Collects everything that is stored about a debtor (GDPR article 15).',
  access: 'debtor.read',
  timeoutMs: 60_000,
  input: { type: 'object', properties: {}, additionalProperties: false },
  handler: async (_input, { api, item, businessDate }) => {
    const debtorGuid = item!.guid
    const { links: _links, ...debtor } = await api.call('getDebtor', { params: { debtorGuid } })
    return { date: businessDate, debtor, ...(await recordsOf(api, debtorGuid)) }
  },
})
