/**
 * Everything that is stored about a debtor, as JSON: the right of access of article 15 of the General Data Protection
 * Regulation (EU) 2016/679. What the caller may not read, and what there is no room for, is listed in `leftOut` with the
 * reason. The result stands in the job's history for a week.
 */
import { debtorFields } from '../contract/parties/debtors.ts'
import {
  defineService,
  readAll,
  resultLengthMax,
  ServiceApiError,
  ServiceFailure,
  type ServiceApi,
} from 'fordra/service'
import { fitExport, type CaseExport, type LeftOut } from './parts/fit-export.ts'

interface Input {
  /** Only these cases, without what is the debtor's own: what an earlier export left out. All unless given. */
  caseGuids?: string[]
}

const readChanges = (api: ServiceApi, guid: string) =>
  readAll((query) => api.call('listAuditEntries', { query: { ...query, $filter: `subjectGuid eq ${guid}` } }))

/** The newest signed head of the audit trail, which vouches for the changes in the export. */
const readAuditHead = async (api: ServiceApi) =>
  (await api.call('listAuditEntries', { query: { $top: 0 } })).head

/** The members of a case that tell who its main debtor is, and how to reach them. */
const ofMainDebtor = new Set([
  'debtorGuid',
  'mainDebtorGuid',
  'mainDebtorName',
  'placeOfBirth',
  'naceCode',
  'contact',
  'workPhone',
  'cellularPhone',
  'email',
  'birthDate',
  'juridicalType',
])

/**
 * A case with its parties, its invoices, every movement and entry, the notes and objections about it, and what was
 * changed.
 */
async function readCase(api: ServiceApi, debtorGuid: string, caseGuid: string): Promise<CaseExport> {
  const params = { caseGuid }
  const { links: _links, ...found } = await api.call('getCaseByGuid', { params })
  const { movements, transactions } = await api.call('listCaseMovements', { params })
  const { figures } = await api.call('explainCase', { params: { debtorGuid, caseGuid } })
  // Of the others who have a part in the case their role is the debtor's to know, not who they are.
  const own = Object.entries(found).filter(
    ([member]) => found.mainDebtorGuid === debtorGuid || !ofMainDebtor.has(member),
  )
  return {
    ...Object.fromEntries(own),
    caseGuid,
    debtors: found.debtors.map((one) =>
      one.debtorGuid === debtorGuid ? one : { debtorRole: one.debtorRole },
    ),
    movements,
    transactions,
    explanation: figures,
    notes: await readAll((query) => api.call('listCaseNotes', { params, query })),
    objections: await readAll((query) =>
      api.call('listObjections', { query: { ...query, $filter: `caseGuid eq ${caseGuid}` } }),
    ),
    changes: await readChanges(api, caseGuid),
  }
}

async function readCases(api: ServiceApi, debtorGuid: string, only: readonly string[] | undefined) {
  const params = { debtorGuid }
  const listed = (await readAll((query) => api.call('listCases', { params, query }))).map(
    ({ caseGuid }) => caseGuid,
  )
  const wanted = only?.map((guid) => guid.toLowerCase()) ?? listed
  const unknown = wanted.find((guid) => !listed.includes(guid))
  if (unknown !== undefined) throw new ServiceFailure(`The debtor has no case ${unknown}.`)
  const cases: CaseExport[] = []
  for (const caseGuid of wanted) cases.push(await readCase(api, debtorGuid, caseGuid))
  return cases
}

/** The payment plans with their payments and what was changed. */
async function readPlans(api: ServiceApi, debtorGuid: string) {
  const listed = await readAll((query) => api.call('listPaymentPlans', { params: { debtorGuid }, query }))
  const plans = []
  for (const { paymentPlanGuid } of listed) {
    const params = { debtorGuid, paymentplanGuid: paymentPlanGuid }
    const plan = await api.call('getPaymentPlan', { params })
    plans.push({ ...plan, changes: await readChanges(api, paymentPlanGuid) })
  }
  return plans
}

/** What was written to the debtor: e-mails, text messages and letters. */
async function readMessages(api: ServiceApi, debtorGuid: string) {
  const params = { debtorGuid }
  const $filter = "entity eq 'message'"
  const entries = await readAll((page) => api.call('listTimeline', { params, query: { ...page, $filter } }))
  return entries.map(({ entityGuid, occurredAt, action, text, sentAt, caseGuid, caseNumber }) => ({
    messageGuid: entityGuid,
    channel: action,
    subject: text,
    createdAt: occurredAt,
    sentAt,
    caseGuid,
    caseNumber,
  }))
}

/** The letters that are kept, each with where its PDF is. */
async function readDocuments(api: ServiceApi, debtorGuid: string) {
  const params = { debtorGuid }
  const documents = await readAll((query) => api.call('listDocuments', { params, query }))
  return documents.map((one) => ({ ...one, content: `GET /documents/${one.documentGuid}` }))
}

/** The attached files, each with where it is. */
async function readAttachments(api: ServiceApi, debtorGuid: string) {
  const params = { debtorGuid }
  const files = await readAll((query) => api.call('listDebtorAttachments', { params, query }))
  return files.map((one) => ({ ...one, content: `GET /attachments/${one.attachmentGuid}` }))
}

/** The values of the fields that this installation added to debtors. */
async function readCustomFields(api: ServiceApi, debtorGuid: string) {
  const params = { entity: 'debtor', type: 'edit' }
  const query = { id: debtorGuid, initialValues: true } as const
  const values = await api.call('getFormValues', { params, query })
  return Object.fromEntries(Object.entries(values).filter(([code]) => !(code in debtorFields)))
}

type Reader = (api: ServiceApi, debtorGuid: string) => Promise<unknown>

const parts: Record<string, { read: Reader; readAt: string }> = {
  ownFields: { read: readCustomFields, readAt: 'GET /system/forms/debtor/edit' },
  addresses: {
    read: (api, debtorGuid) =>
      readAll((query) => api.call('listAddresses', { params: { debtorGuid }, query })),
    readAt: 'GET /debtors/{debtorGuid}/addresses',
  },
  extraFields: {
    read: (api, debtorGuid) =>
      readAll((query) => api.call('listExtraFields', { params: { debtorGuid }, query })),
    readAt: 'GET /debtors/{debtorGuid}/extrafields',
  },
  notes: {
    read: (api, debtorGuid) =>
      readAll((query) => api.call('listDebtorNotes', { params: { debtorGuid }, query })),
    readAt: 'GET /debtors/{debtorGuid}/notes',
  },
  calls: {
    read: (api, debtorGuid) =>
      readAll((query) => api.call('listDebtorCalls', { params: { debtorGuid }, query })),
    readAt: 'GET /debtors/{debtorGuid}/calls',
  },
  attachments: { read: readAttachments, readAt: 'GET /debtors/{debtorGuid}/attachments' },
  documents: { read: readDocuments, readAt: 'GET /debtors/{debtorGuid}/documents' },
  messages: { read: readMessages, readAt: 'GET /debtors/{debtorGuid}/timeline' },
  paymentPlans: { read: readPlans, readAt: 'GET /debtors/{debtorGuid}/paymentplans' },
  changes: { read: readChanges, readAt: 'GET /audit?$filter=subjectGuid eq {debtorGuid}' },
}

/** What `read` gives; of what the caller may not read undefined, with a line in `leftOut`. */
async function readAllowed<T>(
  read: () => Promise<T>,
  about: { part: string; readAt: string },
  leftOut: LeftOut[],
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ServiceApiError) || error.code !== 'forbidden') throw error
    leftOut.push({ ...about, why: error.message })
    return undefined
  }
}

export default defineService<Input>({
  code: 'personal-data-export',
  scope: 'debtor',
  description: 'Collects everything that is stored about a debtor (GDPR article 15).',
  access: 'debtor.read',
  timeoutMs: 300_000,
  memoryMb: 256,
  input: {
    type: 'object',
    properties: {
      caseGuids: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 1000 },
    },
    additionalProperties: false,
  },
  handler: async ({ caseGuids }, { api, item, businessDate }) => {
    const debtorGuid = item!.guid
    const { links: _links, ...debtor } = await api.call('getDebtor', { params: { debtorGuid } })
    const leftOut: LeftOut[] = []
    const own: Record<string, unknown> = {}
    for (const [part, { read, readAt }] of caseGuids ? [] : Object.entries(parts))
      own[part] = await readAllowed(() => read(api, debtorGuid), { part, readAt }, leftOut)
    const ofCases = { part: 'cases', readAt: 'GET /debtors/{debtorGuid}/cases' }
    const cases = (await readAllowed(() => readCases(api, debtorGuid, caseGuids), ofCases, leftOut)) ?? []
    const ofTrail = { part: 'auditHead', readAt: 'GET /audit' }
    const auditHead = await readAllowed(() => readAuditHead(api), ofTrail, leftOut)
    const all = { date: businessDate, auditHead, debtor, ...own, cases, leftOut }
    const fitted = fitExport(all, resultLengthMax)
    if (!fitted)
      throw new ServiceFailure(
        'What is stored is more than one export can hold, even of a single case: read it by the API’s lists, which answer page by page.',
      )
    return fitted
  },
})
