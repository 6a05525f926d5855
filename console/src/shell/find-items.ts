/** Searches records by name, reference or number. */
import { api } from '../api/client.ts'
import type { IconName } from '../widgets/icons.tsx'

export interface FoundItem {
  guid: string
  title: string
  about: string
  url: string
  type: number
  icon: IconName
  matchedOn: string
}

/** The screen of each item type that has one. */
export const itemScreens: Record<string, string> = { 1: '/cases', 2: '/clients', 3: '/debtors' }
const icons: Record<string, IconName> = { 1: 'cases', 2: 'building', 3: 'person' }

export async function findItems(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const { items } = await api.searchItems({ q: text, types: Object.keys(itemScreens).join(',') }, { signal })
  return items.flatMap((hit) => {
    const screen = itemScreens[hit.type]
    if (screen === undefined) return []
    return [
      {
        guid: hit.guid,
        title: hit.primaryDescription ?? hit.secondaryDescription ?? hit.guid,
        about: hit.secondaryDescription ?? '',
        url: `${screen}/${hit.guid}`,
        type: hit.type,
        icon: icons[hit.type] ?? 'document',
        matchedOn: hit.matchedOn,
      },
    ]
  })
}
