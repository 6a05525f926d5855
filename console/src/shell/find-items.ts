/** Searches records by name, reference or number. */
import { api } from '../api/client.ts'
import type { SearchHit } from '../../../contract/metadata/search.ts'
import { formatDateTime } from '../format/format.ts'
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
const icons: Record<string, IconName> = { 1: 'cases', 2: 'building', 3: 'person' }

/** A case has only a number of its own: its debtor says more. */
const writeTitle = ({ guid, primaryDescription, secondaryDescription, debtorName }: SearchHit): string =>
  [primaryDescription ?? secondaryDescription ?? guid, debtorName].filter(Boolean).join(' · ')

const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** Whether the text is the number of several records, such as of a debtor and of another debtor's case. */
export const isAmbiguous = (text: string, items: readonly FoundItem[]): boolean =>
  compact(text) !== '' && items.filter(({ number = '' }) => compact(number) === compact(text)).length > 1

export async function findItems(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const { items } = await api.searchItems({ q: text, types: Object.keys(itemScreens).join(',') }, { signal })
  return items.flatMap((hit) => {
    const screen = itemScreens[hit.type]
    if (screen === undefined) return []
    return [
      {
        guid: hit.guid,
        title: writeTitle(hit),
        about: [hit.secondaryDescription, hit.organisationNumber, formatDateTime(hit.dateOfBirth), hit.city]
          .filter(Boolean)
          .join(' · '),
        number: (hit.type === 1 ? hit.primaryDescription : hit.secondaryDescription) ?? '',
        url: `${screen}/${hit.guid}`,
        type: hit.type,
        icon: icons[hit.type] ?? 'document',
        matchedOn: hit.matchedOn,
      },
    ]
  })
}
