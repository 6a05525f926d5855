/** What the bench looks for: texts of every kind drawn from the database, and the requests that they make. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { basePath } from '../../contract/api.ts'
import type { HttpRequest } from '../drive/requests.ts'

/** Milliseconds within which 99 of 100 are answered, one at a time. */
export const targets = { search: 30, lookup: 20 }

export interface Asked {
  name: string
  target: number | null
  /** By somebody who sees the debtors and cases of one client. */
  restricted?: true
  requests: HttpRequest[]
}

const drawn = 200

const searching = (name: string, texts: string[]): Asked => ({
  name: `search ${name}`,
  target: targets.search,
  requests: texts.map((text) => ({
    method: 'GET',
    path: `${basePath}/search?q=${encodeURIComponent(text)}`,
  })),
})
const looking = (name: string, code: string, texts: string[]): Asked => ({
  name: `lookup ${name}`,
  target: targets.lookup,
  requests: texts.map((searchStr) => ({
    method: 'POST',
    path: `${basePath}/system/lookups/${code}`,
    body: { searchStr },
  })),
})
const restricted = (asked: Asked): Asked => ({
  ...asked,
  name: `${asked.name}, restricted`,
  restricted: true,
})

export async function drawAsked(sql: Sql): Promise<Asked[]> {
  const people = await drawDebtors(sql)
  const cases = await sql<{ number: string }[]>`
    select case_number as number from debt_case order by random() limit ${drawn}`
  const names = people.map(({ name }) => name)
  const begun = people.map(({ last }) => last.slice(0, 3))
  const numbers = cases.map(({ number }) => number)
  const of = (member: keyof Person) => people.map((person) => person[member])
  return [
    searching('name', names),
    restricted(searching('name', names)),
    searching('last name', of('last')),
    searching('begun name', begun),
    searching('mistyped name', names.map(mistype)),
    searching('reference', of('reference')),
    searching('id number', of('number')),
    searching('phone', of('phone')),
    searching('e-mail', of('email')),
    searching('case number', numbers),
    looking('debtor', 'debtor', names),
    restricted(looking('debtor', 'debtor', names)),
    looking('debtor, begun', 'debtor', begun),
    looking('case', 'case', numbers),
    looking(
      'case, begun',
      'case',
      numbers.map((number) => number.slice(0, 3)),
    ),
    looking('client', 'client', ['be', 'bench', 'ab']),
    looking('user', 'user', ['be', 'bench', 'fin']),
    looking('country', 'country', ['s', 'swe', 'land', 'stor']),
    looking('language', 'language', ['s', 'swe', 'ish']),
    looking('case status', 'casestatus', ['', 'a', 'leg']),
    { name: 'lookup debtor by key', target: targets.lookup, requests: of('id').map(debtorByKey) },
    { name: 'filter own field', target: null, requests: of('own').map(customFieldIs) },
  ]
}

type Person = Record<'id' | 'name' | 'last' | 'reference' | 'number' | 'email' | 'phone' | 'own', string>

/** Who has no number, e-mail or phone is looked for by reference or name. */
const drawDebtors = (sql: Sql) => sql<Person[]>`
  select id, full_name as name, coalesce(lastname, full_name) as last, debtor_reference as reference,
    coalesce(id_number, debtor_reference) as number, coalesce(email, full_name) as email,
    coalesce(cellular_phone, full_name) as phone, custom ->> 'own0' as own
  from debtor order by random() limit ${drawn}`

const debtorByKey = (guid: string): HttpRequest => ({
  method: 'GET',
  path: `${basePath}/system/lookups/debtor/${guid}`,
})
const customFieldIs = (value: string): HttpRequest => ({
  method: 'GET',
  path: `${basePath}/debtors?$filter=${encodeURIComponent(`own0 eq '${value}'`)}&$orderby=fullName`,
})

/** In each word two letters in the midst change places. */
const mistype = (name: string): string =>
  name
    .split(' ')
    .map((word) => {
      const at = Math.max(1, Math.floor(word.length / 2) - 1)
      return (
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split('')
          .toReversed()
          .join('') +
        word.slice(at + 2)
      )
    })
    .join(' ')
