/** Writes letters, for services and strategies: to a debtor about everything they owe, or about one case. */
import type { DocumentKind } from '../../../contract/collection/documents.ts'
import { resolveLanguage, type Language } from '../../../contract/platform/languages.ts'
import { formatAddress } from '../../../core/identity/address.ts'
import { nonOwingRoles } from '../../cases/case-overview.ts'
import { findMainOverviews, listOverviewCases, type OverviewRow } from '../../cases/cases.store.ts'
import { makeDebtorPaymentReference } from '../../claims/payment-reference.rules.ts'
import { requireAddressee } from '../../claims/contact-permission.ts'
import { texts } from '../../../core/text/texts.ts'
import { findDisputed } from '../../cases/objections/objections.store.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { lockDebtor, lockDebtors, type DebtorChangeNote } from '../../parties/debtors/debtor-lock.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { insertLetterCases } from '../demands/demand-groups.store.ts'
import type { LetterAnswer } from './answer-letter.ts'
import { composeAnswerLetter, composeLetter } from './compose-letter.ts'
import type { LetterData } from './letter-data.ts'
import { digestPlan, type LetterPlan } from './plan-letter.ts'
import * as store from './documents.store.ts'
import { findCosts, type LetterCost } from './letter-costs.ts'
import {
  findPublishedTemplates,
  findTemplateSource,
  type ChooseTemplate,
} from '../templates/published-templates.ts'
import { typeset } from './typeset.ts'

export interface LetterRequest {
  debtorGuid: string
  /** Null for everything that the debtor owes and the caller may see. */
  caseGuid: string | null
  kind: DocumentKind
  /** Null for the debtor's language. */
  language: Language | null
  /** YYYY-MM-DD. Null for a letter without a deadline. */
  dueDate: string | null
  /** The cases that it demands together, with `caseGuid`, the oldest first. Left out for one case. */
  together?: { caseGuids: readonly string[]; reference: string } | null
  /** The plan that it is about, with the cases of the plan. */
  plan?: LetterPlan | null
  /** What was answered, for a letter of kind `answer`. */
  answer?: LetterAnswer | null
}

const languagesOfCountries: Record<string, Language> = {
  SE: 'sv',
  NO: 'no',
  DK: 'da',
  FI: 'fi',
  DE: 'de',
  AT: 'de',
}

/**
 * Stores a letter as of the business date. Returns its guid. Throws a 404 for a debtor that the caller may
 * not see.
 */
export async function writeLetter(
  db: Db,
  caller: Caller,
  request: LetterRequest,
  origin: Origin,
): Promise<string> {
  const { debtorGuid, caseGuid } = request
  const documentGuid = makeId()
  await inTransaction(db, async (tx) => {
    const held = await lockDebtor(tx, caller, debtorGuid, origin)
    const { recipient, recipientGuid } = await requireAddressee(
      tx,
      { debtorGuid, caseGuid, channel: 'letter', at: new Date().toISOString(), date: origin.businessDate },
      findReader(caller.language),
    )
    const addresseeGuid = recipient === 'guardian' ? recipientGuid! : null
    const matter = await readMatter(tx, caller, request, addresseeGuid)
    const made = buildDocument(documentGuid, request, { ...matter, origin })
    await store.insertDocuments(tx, [made])
    await held.note([documentNote(made)])
  })
  return documentGuid
}

/** What one letter is about. The caller checks the right to see the debtor. Without `cases` nothing is owed. */
export async function readMatter(
  db: Db,
  caller: Caller,
  {
    debtorGuid,
    caseGuid,
    together = null,
    plan = null,
  }: Pick<LetterRequest, 'debtorGuid' | 'caseGuid' | 'together' | 'plan'>,
  addresseeGuid: string | null,
): Promise<Omit<LetterMatter, 'origin'>> {
  const found = await store.findLetterParties(db, [debtorGuid, ...(addresseeGuid ? [addresseeGuid] : [])])
  const parties = found.get(debtorGuid)!
  const listed = await listOverviewCases(db, caller, debtorGuid)
  const ofPlan = plan && new Set(plan.cases.map((one) => one.caseGuid))
  const cases = listed.filter(({ shown }) =>
    ofPlan
      ? ofPlan.has(shown.caseGuid)
      : caseGuid === null
        ? shown.status !== 'CLOSED' && !nonOwingRoles.has(shown.debtorRole)
        : (together?.caseGuids.includes(shown.caseGuid) ?? shown.caseGuid === caseGuid),
  )
  const references = caseGuid === null ? null : await store.findCaseReferences(db, [caseGuid])
  const disputed = caseGuid === null ? null : await findDisputed(db, together?.caseGuids ?? [caseGuid])
  return {
    parties,
    cases: together === null ? cases : sortLike(together.caseGuids, cases),
    reference: together?.reference ?? references?.get(caseGuid!) ?? makeDebtorPaymentReference(parties),
    disputed: disputed ?? new Map(),
    costs: await findCosts(
      db,
      cases.map(({ shown }) => shown.caseGuid),
    ),
    addressee: addresseeGuid === null ? undefined : found.get(addresseeGuid)!,
    chooseTemplate: await findPublishedTemplates(
      db,
      cases.map(({ shown }) => shown.clientGuid),
    ),
  }
}

const sortLike = (caseGuids: readonly string[], cases: readonly OverviewRow[]): OverviewRow[] =>
  caseGuids.flatMap((guid) => cases.find(({ shown }) => shown.caseGuid === guid) ?? [])

/**
 * Stores many letters, each about one case, or about cases demanded together, to the main debtor. Returns their guids in the order of the
 * requests.
 */
export async function writeLetters(
  tx: Db,
  caller: Caller,
  requests: readonly (LetterRequest & { caseGuid: string })[],
  origin: Origin,
): Promise<string[]> {
  const debtorGuids = requests.map(({ debtorGuid }) => debtorGuid)
  const caseGuids = requests.flatMap(listCases)
  const note = await lockDebtors(tx, caller, debtorGuids, origin)
  const parties = await store.findLetterParties(tx, debtorGuids)
  const cases = await findMainOverviews(tx, caller, caseGuids)
  const references = await store.findCaseReferences(tx, caseGuids)
  const disputed = await findDisputed(tx, caseGuids)
  const costs = await findCosts(tx, caseGuids)
  const clientGuids = [...cases.values()].map(({ shown }) => shown.clientGuid)
  const chooseTemplate = await findPublishedTemplates(tx, clientGuids)
  const made = requests.map((request) =>
    buildDocument(makeId(), request, {
      parties: parties.get(request.debtorGuid)!,
      cases: listCases(request).map((caseGuid) => cases.get(caseGuid)!),
      reference: request.together?.reference ?? references.get(request.caseGuid)!,
      disputed,
      costs,
      chooseTemplate,
      origin,
    }),
  )
  await store.insertDocuments(tx, made)
  const joint = requests.map(({ together }, index) => ({
    documentGuid: made[index]!.id,
    caseGuids: together?.caseGuids ?? [],
  }))
  await insertLetterCases(tx, joint)
  await note(made.map((one) => ({ debtorGuid: one.debtorGuid, note: documentNote(one) })))
  return made.map(({ id }) => id)
}

const listCases = ({ caseGuid, together }: LetterRequest & { caseGuid: string }): readonly string[] =>
  together?.caseGuids ?? [caseGuid]

export interface LetterMatter {
  parties: store.LetterParties
  /** The guardian of a minor, to whom it is addressed. */
  addressee?: store.LetterParties | undefined
  cases: readonly OverviewRow[]
  reference: string
  /** What open objections dispute of each case, in minor units: it is not demanded. */
  disputed?: ReadonlyMap<string, bigint>
  /** The costs of each case, by kind. */
  costs?: ReadonlyMap<string, readonly LetterCost[]>
  chooseTemplate: ChooseTemplate
  origin: Origin
}

export function buildDocument(
  id: string,
  { debtorGuid, caseGuid, kind, dueDate, together, plan, answer, language: wanted }: LetterRequest,
  { parties, addressee, cases, reference, disputed, costs, chooseTemplate, origin }: LetterMatter,
): store.NewDocument {
  const to = addressee ?? parties
  const language = wanted ?? ownLanguage(to)
  const clientGuids = [...new Set(cases.map(({ shown }) => shown.clientGuid))]
  const concerns = addressee ? [`${texts[language].letter.concerns} ${parties.fullName}`] : []
  const sheet = {
    language,
    sender: parties.sender,
    recipient: [to.fullName, ...listAddressLines(to), ...concerns],
    idNumber: parties.idNumber,
    date: origin.businessDate,
    paymentReference: reference,
  }
  const data =
    kind === 'answer'
      ? composeAnswerLetter(sheet, answer!)
      : composeLetter({
          ...sheet,
          kind,
          dueDate,
          bankAccountNo: parties.bankAccountNo,
          plan: plan ?? undefined,
          template: chooseTemplate(kind, language, clientGuids),
          isTogether: (together?.caseGuids.length ?? 0) > 1,
          cases: cases.map(({ shown, principal, interest, fee }) => ({
            ...shown,
            principal,
            interest,
            fee,
            disputed: disputed?.get(shown.caseGuid) ?? 0n,
            costs: costs?.get(shown.caseGuid) ?? [],
          })),
        })
  return {
    id,
    debtorGuid,
    addresseeGuid: addressee?.debtorGuid ?? null,
    caseGuid,
    clientGuids,
    kind,
    language,
    businessDate: origin.businessDate,
    dueDate,
    data: {
      ...data,
      ...(plan && { planGuid: plan.planGuid, planDigest: digestPlan(plan.rows) }),
      ...(!plan && kind !== 'answer' && { demanded: listDemanded(cases, disputed) }),
    },
    createdBy: origin.actorId,
  }
}

const listDemanded = (
  cases: LetterMatter['cases'],
  disputed: LetterMatter['disputed'],
): NonNullable<LetterData['demanded']> =>
  cases
    .filter(({ shown }) => shown.status !== 'CLOSED')
    .map(({ shown: { caseGuid }, principal, interest, fee }) => {
      const minor = principal + interest + fee - Number(disputed?.get(caseGuid) ?? 0n)
      return { caseGuid, minor: Math.max(minor, 0) }
    })

export const forwardingLines = (address: string): string[] => address.split(',').map((line) => line.trim())

/** The debtor's name stands above. Never the address of a person with a protected identity. */
const listAddressLines = (to: store.LetterParties): string[] =>
  to.hasProtectedIdentity
    ? forwardingLines(to.forwardingAddress ?? '')
    : (formatAddress({ ...to, fullName: to.addressName }, { separator: '\n' })?.split('\n') ?? [])

export const documentNote = ({ id, debtorGuid, caseGuid, kind }: store.NewDocument): DebtorChangeNote => ({
  type: 'debtor.document_created',
  entityId: debtorGuid,
  data: { documentGuid: id, kind, ...(caseGuid !== null && { caseGuid }) },
  changes: { document: [null, kind] },
})

/** Of a debtor without a language and a country: that of the agency's country. */
export const ownLanguage = ({ languageCode, countryCode, senderCountry }: store.LetterParties): Language =>
  languageCode === null
    ? (languagesOfCountries[countryCode ?? senderCountry ?? ''] ?? 'en')
    : resolveLanguage(languageCode)

/**
 * The PDF of a document that the caller may see. The first request creates it; later ones return the same
 * bytes.
 */
export async function readPdf(db: Db, documentGuid: string): Promise<Buffer> {
  const { data, content, createdAt } = await store.findLetter(db, documentGuid)
  if (content !== null) return content
  const source = await findTemplateSource(db, data)
  await store.keepContent(db, documentGuid, await typeset(data, new Date(createdAt), source))
  return (await store.findLetter(db, documentGuid)).content!
}
