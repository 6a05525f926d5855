/** Finds records by what a case handler has at hand. */
import { api } from '../api/client.ts'
import { callLater, findLater } from '../api/later.ts'
import { quote } from '../lists/filter-text.ts'

export interface FoundItem {
  title: string
  about: string
  url: string
}

interface SearchAnswer {
  value?: SearchHit[]
  items?: SearchHit[]
}
interface SearchHit {
  type: number | string
  guid: string
  primaryDescription: string | null
  secondaryDescription: string | null
}

/** By item type; a type without a screen of its own is left out. */
const screens: Record<string, string> = { 3: '/debtors', debtor: '/debtors' }
const most = 8

export async function findItems(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const search = findLater('GET', '/search')
  return search === undefined ? findDebtors(text, signal) : findEverywhere(search, text, signal)
}

async function findEverywhere(search: string, text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const answer = await callLater<SearchAnswer>(search, { q: text }, { signal })
  return (answer.value ?? answer.items ?? []).flatMap((hit) => {
    const screen = screens[String(hit.type)]
    if (screen === undefined) return []
    return [
      {
        title: hit.primaryDescription ?? '',
        about: hit.secondaryDescription ?? '',
        url: `${screen}/${hit.guid}`,
      },
    ]
  })
}

/**
 * References, identity numbers and phones by what they begin with or hold; of names those that begin so come first. A
 * first letter is taken as a capital too.
 */
async function findDebtors(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = /^\+?\d+$/.test(digits)
  const spellings = [...new Set([text.slice(0, 1).toUpperCase() + text.slice(1), text])]
  const filters = isNumber
    ? [
        `startswith(debtorReference,${quote(digits)}) or startswith(idNumber,${quote(digits)}) or contains(cellularPhone,${quote(digits.replace(/^\+|^0/, ''))})`,
      ]
    : ['startswith', 'contains'].map((call) =>
        spellings.map((one) => `${call}(fullName,${quote(one)})`).join(' or '),
      )
  const pages = await Promise.all(
    filters.map(($filter) => api.listDebtors({ $filter, $top: most, $orderby: 'fullName' }, { signal })),
  )
  const rows = new Map(pages.flatMap(({ value }) => value).map((row) => [row.debtorGuid, row]))
  return [...rows.values()]
    .slice(0, most)
    .map(({ debtorGuid, debtorReference, fullName, city, idNumber }) => ({
      title: fullName ?? debtorReference,
      about: [debtorReference, idNumber, city].filter(Boolean).join(' · '),
      url: `/debtors/${debtorGuid}`,
    }))
}
