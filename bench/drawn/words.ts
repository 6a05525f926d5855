/** Beginnings, parts and words of the debtors' names, by how many debtors have them. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { draw, type Random } from './random.ts'

const frequencies = ['common', 'middling', 'rare', 'absent'] as const
export type Frequency = (typeof frequencies)[number]
type ByFrequency = Record<Frequency, string[]>

export interface Words {
  prefixes: ByFrequency
  parts: ByFrequency
  words: ByFrequency
}

/** Common: at least one debtor in 200. Middling: at least 20 debtors. Rare: at most 5. */
export const bands = { commonShare: 1 / 200, middlingLeast: 20, rareMost: 5 }
const absent = ['Qxz', 'Wqv', 'Zzyx', 'Xqvar', 'Jqpls']
const keptOfEach = 500

function divideByFrequency(counted: readonly { text: string; count: number }[], rows: number): ByFrequency {
  const within = (least: number, most: number) =>
    counted
      .filter(({ count }) => count >= least && count <= most)
      .map(({ text }) => text)
      .slice(0, keptOfEach)
  const common = Math.max(bands.middlingLeast + 1, rows * bands.commonShare)
  return {
    common: within(common, Infinity),
    middling: within(bands.middlingLeast, common - 1),
    rare: within(1, bands.rareMost),
    absent,
  }
}

export async function readWords(sql: Sql): Promise<Words> {
  const [size] = await sql<{ rows: number }[]>`select count(*)::int as rows from debtor`
  const read = async (text: string) => {
    const counted = await sql.unsafe<{ text: string; count: number }[]>(
      `with word as (select word, count(*) as debtors from debtor, regexp_split_to_table(full_name, '[^[:alpha:]]+') word
         where length(word) > 3 group by 1)
       select text, sum(debtors)::int as count from (${text}) found group by 1 order by md5(text)`,
    )
    return divideByFrequency(counted, size!.rows)
  }
  return {
    prefixes: await read(
      `select left(full_name, length) as text, 1 as debtors from debtor, generate_series(3, 8) length
       where full_name ~ '^[[:alpha:] ]+$'`,
    ),
    parts: await read('select substr(word, 2, 4) as text, debtors from word where length(word) > 4'),
    words: await read('select lower(word) as text, debtors from word'),
  }
}

/** A frequency at random, and a text of it. */
export function drawText(random: Random, texts: ByFrequency): string {
  const filled = frequencies.filter((frequency) => texts[frequency].length > 0)
  return draw(random, texts[draw(random, filled)])
}
