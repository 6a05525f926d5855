/** Searches records by name, reference or number. */
import { api } from '../api/client.ts'
import type { SearchHit } from '../../../contract/metadata/search.ts'
import { formatDateTime } from '../format/format.ts'
import { i18n } from '../texts/languages.ts'
import type { IconName } from '../widgets/icons.tsx'

export interface FoundItem {
  guid: string
  title: string
  about: string
  url: string
  type: number
  icon: IconName
  matchedOn: string
  /** The number or reference that stands for the record, where it has one. */
  number?: string
}

/** The screen of each item type that has one. */
export const itemScreens: Record<string, string> = { 1: '/cases', 2: '/clients', 3: '/debtors' }
const icons: Record<string, IconName> = { 1: 'cases', 2: 'building', 3: 'person', 5: 'document' }
/** An invoice is shown on the page of its case. */
export const invoiceType = 5

/** A case has only a number of its own: its debtor says more. */
const writeTitle = ({ guid, primaryDescription, secondaryDescription, debtorName }: SearchHit): string =>
  [primaryDescription ?? secondaryDescription ?? guid, debtorName].filter(Boolean).join(' · ')

const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** Whether the text is the number of several records, such as of a debtor and of another debtor's case. */
export const isAmbiguous = (text: string, items: readonly FoundItem[]): boolean =>
  compact(text) !== '' && items.filter(({ number = '' }) => compact(number) === compact(text)).length > 1

/** The name of a case or an invoice is its number. */
const isNumbered = ({ type }: SearchHit): boolean => type === 1 || type === invoiceType

const writeAbout = ({ type, secondaryDescription, ...hit }: SearchHit): string =>
  type === invoiceType
    ? i18n.t('case.title', { number: secondaryDescription })
    : [secondaryDescription, hit.organisationNumber, formatDateTime(hit.dateOfBirth), hit.city]
        .filter(Boolean)
        .join(' · ')

/** Undefined for what has no screen, and for an invoice that was found by the number of its case, as one without its own is. */
function findUrl({ type, guid, caseGuid, ...hit }: SearchHit, text: string): string | undefined {
  if (type !== invoiceType) return itemScreens[type] && `${itemScreens[type]}/${guid}`
  const number = hit.primaryDescription ?? ''
  const isOwn = !number.startsWith(`${hit.secondaryDescription}-`)
  const isByNumber = isOwn && compact(number).startsWith(compact(text))
  return isByNumber && caseGuid !== null ? `/cases/${caseGuid}` : undefined
}

export async function findItems(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const { items } = await api.searchItems(
    { q: text, types: [...Object.keys(itemScreens), invoiceType].join(',') },
    { signal },
  )
  return items.flatMap((hit) => {
    const url = findUrl(hit, text)
    if (url === undefined) return []
    return [
      {
        guid: hit.guid,
        title: writeTitle(hit),
        about: writeAbout(hit),
        number: (isNumbered(hit) ? hit.primaryDescription : hit.secondaryDescription) ?? '',
        url,
        type: hit.type,
        icon: icons[hit.type] ?? 'document',
        matchedOn: hit.matchedOn,
      },
    ]
  })
}
