/** What is measured: for each scenario the requests to the product and to the bare server, and the SQL that both run. */
import { basePath } from '../../contract/api.ts'
import type { PageQuery } from '../../server/platform/database/list.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import { findDebtor, listDebtors } from '../../server/parties/debtors/debtors.store.ts'
import { searchItems } from '../../server/metadata/search/search.routes.ts'
import { typeOrder } from '../../server/metadata/search/search.rules.ts'
import { recordLookups } from '../../server/metadata/lookups/record-lookups.ts'
import type { DemoDebtor } from '../../cli/demo/debtors.ts'
import { makeBareCreate } from '../drive/bare-writes.ts'
import type { DrawnWrite } from '../drawn/drawn-writes.ts'
import { benchLogin } from '../load/load-debtors.ts'
import { customFieldFilter, customFieldProperties } from '../load/custom-fields.ts'
import type { HttpRequest } from '../drive/requests.ts'
import { anyValue, benchCaller, recordStatements, type Statement } from './statements.ts'

/** `filtered` lists have a target against pgbench too. */
export type ScenarioKind = 'read' | 'filtered' | 'write'

export interface Scenario {
  name: string
  kind: ScenarioKind
  /** What the product answers when all is well. */
  status: 200 | 201
  /** The statements of the bare route and of pgbench, for each kind of request that the product gets. */
  statements(url: string, supply: Supply): Promise<Statement[][]>
  /** The requests of one measurement, at least `count` different ones where `distinct`. */
  product(supply: Supply, count: number): HttpRequest[]
  bare(supply: Supply, count: number): HttpRequest[]
  /** No request may be sent twice: a second time it would be another case. */
  distinct: boolean
  /** Fewer debtors than these leave nothing to measure. */
  fewestDebtors: number
  /** Whether the product's answer is a page of debtors. */
  page: boolean
}

/** Where requests take their values from. */
export interface Supply {
  /** Random debtors. */
  nextKey(): string
  /** Input for a debtor that there is not. */
  nextDebtor(): Partial<DemoDebtor>
  /** A change of a debtor. */
  nextUpdate(): DrawnWrite
}

const severalRequests = 5000

const makeRequests = (count: number, make: () => HttpRequest): HttpRequest[] =>
  Array.from({ length: count }, make)
const buildListPath = (query: PageQuery): string =>
  `${basePath}/debtors?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')}`

/** A list whose query is the same each time. */
function listScenario(name: string, kind: ScenarioKind, query: PageQuery): Scenario {
  return {
    name,
    kind,
    status: 200,
    page: true,
    distinct: false,
    fewestDebtors: (query.$skip ?? 0) + 25,
    statements: async (url) => [
      await recordStatements(url, (db, context) => listDebtors(db, benchCaller, query, context)),
    ],
    product: () => [{ method: 'GET', path: buildListPath(query) }],
    bare: () => [{ method: 'GET', path: `/${name}/0` }],
  }
}

const reading: Scenario = {
  name: 'by-key',
  kind: 'read',
  status: 200,
  page: false,
  fewestDebtors: 1,
  distinct: false,
  statements: async (url) => [await recordStatements(url, (db) => findDebtor(db, benchCaller, anyValue))],
  product: ({ nextKey }) =>
    makeRequests(severalRequests, () => ({ method: 'GET', path: `${basePath}/debtors/${nextKey()}` })),
  bare: ({ nextKey }) =>
    makeRequests(severalRequests, () => ({ method: 'GET', path: `/by-key/${nextKey()}` })),
}

/** Texts as they are typed, the last ones mistyped. */
const typedTexts = ['andersson', 'anna andersson', 'lars', 'jensen', 'malin karl', 'andersn', 'johanson erik']

/** A search for records while somebody types. */
function typedScenario(
  name: string,
  statements: (db: Db, text: string) => Promise<unknown>,
  makeRequest: (text: string) => HttpRequest,
): Scenario {
  return {
    name,
    kind: 'read',
    status: 200,
    page: false,
    fewestDebtors: 1,
    distinct: false,
    statements: (url) =>
      Promise.all(typedTexts.map((text) => recordStatements(url, (db) => statements(db, text)))),
    product: () => typedTexts.map(makeRequest),
    bare: () => typedTexts.map((_, kind) => ({ method: 'GET', path: `/${name}/${kind}` })),
  }
}

const lookingUp = typedScenario(
  'lookup',
  (db, text) => recordLookups['debtor']!.search({ db, caller: benchCaller }, text, []),
  (text) => ({ method: 'POST', path: `${basePath}/system/lookups/debtor`, body: { searchStr: text } }),
)
const searching = typedScenario(
  'search',
  (db, text) => searchItems(db, benchCaller, text, typeOrder),
  (text) => ({ method: 'GET', path: `${basePath}/search?q=${encodeURIComponent(text)}` }),
)

const creating: Scenario = {
  name: 'create',
  kind: 'write',
  status: 201,
  page: false,
  fewestDebtors: 1,
  distinct: true,
  statements: async (_url, { nextDebtor }) => [[makeBareCreate(nextDebtor())]],
  product: ({ nextDebtor }, count) =>
    makeRequests(count, () => ({ method: 'POST', path: `${basePath}/debtors`, body: nextDebtor() })),
  bare: ({ nextDebtor }, count) =>
    makeRequests(count, () => ({ method: 'POST', path: '/create', body: nextDebtor() })),
}

/** Any member of a debtor or its address, drawn at random. */
const updating: Scenario = {
  name: 'update',
  kind: 'write',
  status: 200,
  page: false,
  fewestDebtors: 1,
  distinct: true,
  // pgbench would set the same values again and again, which PostgreSQL writes without the indexes.
  statements: async () => [],
  product: ({ nextUpdate }, count) => makeRequests(count, () => nextUpdate().product),
  bare: ({ nextUpdate }, count) => makeRequests(count, () => nextUpdate().reference),
}

const signingIn: Scenario = {
  name: 'login',
  kind: 'write',
  status: 200,
  page: false,
  fewestDebtors: 1,
  distinct: false,
  statements: async () => [],
  product: () => [{ method: 'POST', path: `${basePath}/auth/login`, body: benchLogin }],
  bare: () => [{ method: 'POST', path: '/login', body: benchLogin }],
}

const customField: Scenario = {
  ...listScenario('own-field', 'filtered', { $filter: customFieldFilter, $orderby: 'fullName' }),
  statements: async (url) => [
    await recordStatements(url, (db, context) =>
      listDebtors(
        db,
        benchCaller,
        { $filter: customFieldFilter, $orderby: 'fullName' },
        { ...context, customFields: customFieldProperties },
      ),
    ),
  ],
}

const prefix = { $filter: "startswith(fullName,'And') and city eq 'Malmö'", $orderby: 'fullName' }
const part = { $filter: "contains(fullName,'berg')", $orderby: 'fullName' }

/** Reads first: what is written makes the database larger. */
export const scenarios: readonly Scenario[] = [
  reading,
  listScenario('first-page', 'read', { $orderby: 'fullName' }),
  listScenario('startswith', 'filtered', prefix),
  listScenario('contains', 'filtered', part),
  customField,
  listScenario('skip-50000', 'read', { $orderby: 'fullName', $skip: 50_000 }),
  lookingUp,
  searching,
  creating,
  updating,
  signingIn,
]
