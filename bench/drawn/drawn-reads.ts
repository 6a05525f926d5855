/** Requests that read, drawn at random: what is asked, in which order, from which page, of which debtor. */
import { basePath } from '../../contract/api.ts'
import type { HttpRequest } from '../drive/requests.ts'
import {
  findProperty,
  lists,
  writeCount,
  type ListQuestion,
  type ReferenceQuery,
} from '../drive/reference-queries.ts'
import { listPath } from '../growth/drawn-requests.ts'
import { draw, type Random } from './random.ts'
import { drawText, type Words } from './words.ts'

export interface DrawnRead {
  product: HttpRequest
  /** Null where nothing is written by hand. */
  reference: HttpRequest | null
  /** Counts what the answer's `total` must say. */
  count?: ReferenceQuery
}

/** What reads are drawn from. */
export interface Stock {
  words: Words
  /** Debtors that the caller may see. */
  debtors: readonly string[]
  /** Some rows of each list, as the product answers them. */
  samples: Record<ListQuestion['list'], readonly Record<string, unknown>[]>
  totals: Record<ListQuestion['list'], number>
}

export interface Family {
  name: string
  draw(random: Random, stock: Stock): DrawnRead
  /** Only for callers without restriction. */
  unrestrictedOnly?: true
}

const get = (path: string): HttpRequest => ({ method: 'GET', path })
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const paths = { debtor: '/debtors', case: '/cases' }

function askList(question: ListQuestion): DrawnRead {
  const { list, prefix, part, equal, order, skip } = question
  const filter = [
    ...(prefix === undefined ? [] : [`startswith(fullName,${quote(prefix)})`]),
    ...(part === undefined ? [] : [`contains(fullName,${quote(part)})`]),
    ...(equal ? [`${equal.member} eq ${writeLiteral(list, equal)}`] : []),
  ].join(' and ')
  const path = listPath(paths[list], {
    ...(filter !== '' && { $filter: filter }),
    $orderby: `${order.member} ${order.descending ? 'desc' : 'asc'}`,
    ...(skip > 0 && { $skip: skip }),
  })
  return {
    product: get(`${basePath}${path}`),
    reference: get(`/list/${encodeURIComponent(JSON.stringify(question))}`),
    count: writeCount(question),
  }
}

const writeLiteral = (list: ListQuestion['list'], { member, value }: { member: string; value: string }) =>
  findProperty(list, member).type === 'string' ? quote(value) : value

/** A member that one of two conditions asks for, and a value that some row has. */
function drawEqual(
  random: Random,
  { samples }: Stock,
  { list, members }: { list: ListQuestion['list']; members: readonly string[] },
): { member: string; value: string } {
  const member = draw(random, members)
  const values = samples[list]
    .map((row) => row[member])
    .filter((value) => value !== null && value !== undefined && value !== '')
  if (values.length === 0)
    return drawEqual(random, { samples } as Stock, { list, members: members.filter((one) => one !== member) })
  return { member, value: String(draw(random, values)) }
}

const secondMembers = [
  'city',
  'countryCode',
  'zipCode',
  'languageCode',
  'juridicalType',
  'currencyCode',
  'email',
  'placeOfBirth',
]
const worklistMembers = ['status', 'clientName', 'currencyCode', 'service', 'mainDebtorName', 'remainingSum']
const byName = { member: 'fullName', descending: false }
const sortable = (list: ListQuestion['list']) => [...lists[list].properties.values()].map(({ name }) => name)
const drawOrder = (random: Random, list: ListQuestion['list']) => ({
  member: draw(random, sortable(list)),
  descending: random() < 0.5,
})

/** The first page, one in the middle, or the last. */
const drawSkip = (random: Random, total: number) =>
  draw(random, [0, Math.floor(total / 2), Math.max(0, total - 25)])

export const families: readonly Family[] = [
  {
    name: 'by key',
    draw: (random, { debtors }) => {
      const id = draw(random, debtors)
      return { product: get(`${basePath}/debtors/${id}`), reference: get(`/debtor/${id}`) }
    },
  },
  {
    name: 'prefix and condition',
    draw: (random, stock) =>
      askList({
        list: 'debtor',
        prefix: drawText(random, stock.words.prefixes),
        equal: drawEqual(random, stock, { list: 'debtor', members: secondMembers }),
        order: byName,
        skip: 0,
      }),
  },
  {
    name: 'part of name',
    draw: (random, { words }) =>
      askList({ list: 'debtor', part: drawText(random, words.parts), order: byName, skip: 0 }),
  },
  {
    name: 'debtors sorted',
    draw: (random, { totals }) =>
      askList({ list: 'debtor', order: drawOrder(random, 'debtor'), skip: drawSkip(random, totals.debtor) }),
  },
  {
    name: 'worklist',
    draw: (random, stock) =>
      askList({
        list: 'case',
        ...(random() < 0.7 && {
          equal: drawEqual(random, stock, { list: 'case', members: worklistMembers }),
        }),
        order: drawOrder(random, 'case'),
        skip: 0,
      }),
  },
  {
    name: 'search',
    draw: (random, { words }) => {
      const count = random() < 0.5 ? 1 : 2
      const typed = Array.from({ length: count }, () => drawText(random, words.words)).join(' ')
      return {
        product: get(`${basePath}/search?q=${encodeURIComponent(typed)}`),
        reference: get(`/search/${encodeURIComponent(typed)}`),
      }
    },
  },
  {
    name: 'cases of a debtor',
    draw: (random, { debtors }) => {
      const id = draw(random, debtors)
      return { product: get(`${basePath}/debtors/${id}/cases`), reference: get(`/cases/${id}`) }
    },
  },
  {
    name: 'portfolio',
    draw: () => ({ product: get(`${basePath}/dashboard/portfolio`), reference: null }),
  },
  {
    name: 'payouts due',
    unrestrictedOnly: true,
    draw: () => ({ product: get(`${basePath}/payouts/due`), reference: null }),
  },
]
