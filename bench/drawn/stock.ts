/** Reads out of the database, and of the service, what requests are drawn from. */
import { basePath } from '../../contract/api.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { signIn } from '../drive/servers.ts'
import { listPath } from '../growth/drawn-requests.ts'
import { callers, type CallerKind } from '../load/portfolio.ts'
import { openSupply } from '../load/supply.ts'
import { callerKinds } from './cells.ts'
import type { Stock } from './drawn-reads.ts'
import type { WriteSource } from './drawn-writes.ts'
import type { Random } from './random.ts'
import { readWords } from './words.ts'

export interface Supplies {
  stocks: Record<CallerKind, Stock>
  writes: WriteSource
}

const samples = 20
const debtorsMax = 20_000

export async function openSupplies(
  url: string,
  { address, debtors, random }: { address: string; debtors: number; random: Random },
): Promise<Supplies> {
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    const words = await readWords(sql)
    const readStock = async (kind: CallerKind): Promise<Stock> => {
      const client = await sql<{ id: string }[]>`
        select p.id from app_user u join party p on p.id = u.party_id
        where u.email = ${callers[kind].login} and p.parent_id is not null`
      const seen = client[0]?.id ?? null
      const visible = await sql<{ id: string }[]>`
        select distinct debtor_id as id from case_debtor where ${seen}::uuid is null or client_id = ${seen} limit ${debtorsMax}`
      const get = await openGet(address, kind)
      return {
        words,
        debtors: visible.map(({ id }) => id),
        ...(await readLists(get, random)),
      }
    }
    const stocks = {} as Record<CallerKind, Stock>
    for (const kind of callerKinds) stocks[kind] = await readStock(kind)
    const { writes } = await openSupply(url, debtors)
    return { stocks, writes }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

interface ListAnswer {
  total: number
  value: Record<string, unknown>[]
}

async function openGet(address: string, kind: CallerKind) {
  const token = await signIn(address, callers[kind])
  return async (path: string): Promise<ListAnswer> => {
    const answer = await fetch(address + basePath + path, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`)
    return (await answer.json()) as ListAnswer
  }
}

async function readLists(
  get: (path: string) => Promise<ListAnswer>,
  random: Random,
): Promise<Pick<Stock, 'samples' | 'totals'>> {
  const read = async (path: string) => {
    const { total } = await get(path)
    const rows: Record<string, unknown>[] = []
    for (let drawn = 0; drawn < samples; drawn++)
      rows.push(...(await get(listPath(path, { $skip: Math.floor(random() * total), $top: 10 }))).value)
    return { total, rows }
  }
  const [debtor, cases] = [await read('/debtors'), await read('/cases')]
  return {
    samples: { debtor: debtor.rows, case: cases.rows },
    totals: { debtor: debtor.total, case: cases.total },
  }
}
