/**
 * Everything that is stored about a debtor, as JSON: the right of access of article 15 of the General Data Protection
 * Regulation (EU) 2016/679. The result stands in the job's history for a week.
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

const recordsOf = async (api: ServiceApi, debtorGuid: string) => ({
  addresses: await readAll((query) => api.call('listAddresses', { params: { debtorGuid }, query })),
  extraFields: await readAll((query) => api.call('listExtraFields', { params: { debtorGuid }, query })),
  changes: await readAll((query) =>
    api.call('listAuditEntries', { query: { ...query, $filter: `subjectGuid eq ${debtorGuid}` } }),
  ),
})

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
