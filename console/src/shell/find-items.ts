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

/** Names with both spellings of a typed first letter; references, identity numbers and phones from their beginning. */
async function findDebtors(text: string, signal: AbortSignal): Promise<FoundItem[]> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = /^\+?\d+$/.test(digits)
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1)
  const conditions = isNumber
    ? [
        `startswith(debtorReference,${quote(digits)})`,
        `startswith(idNumber,${quote(digits)})`,
        `contains(cellularPhone,${quote(digits.replace(/^\+|^0/, ''))})`,
      ]
    : [
        `contains(fullName,${quote(text)})`,
        ...(capital === text ? [] : [`contains(fullName,${quote(capital)})`]),
      ]
  const { value } = await api.listDebtors(
    { $filter: conditions.join(' or '), $top: most, $orderby: 'fullName' },
    { signal },
  )
  return value.map(({ debtorGuid, debtorReference, fullName, city, idNumber }) => ({
    title: fullName ?? debtorReference,
    about: [debtorReference, idNumber, city].filter(Boolean).join(' · '),
    url: `/debtors/${debtorGuid}`,
  }))
}
