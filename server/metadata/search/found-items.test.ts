/** Questions asked together find what they find apart, and take few looks into the index. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller } from '../../testing/records/cases.ts'
import { countRows, sumBlocks, watchDatabase } from '../../testing/watched-database.ts'
import { findByLexemes, type FoundItem, type ItemQuestion } from './found-items.store.ts'
import { findHits, searchItems } from './search.routes.ts'
import { identifierQuestions, nameQuestions, stepOfWeight, typeOrder } from './search.rules.ts'

const ask = (text: string) =>
  [...identifierQuestions(text, typeOrder), ...nameQuestions(text, typeOrder)].toSorted(
    (a, b) => b.weight - a.weight,
  )
const show = (items: readonly FoundItem[]) =>
  items.map(({ guid, question }) => `${question} ${guid}`).toSorted()

describe('questions asked together', () => {
  let api: TestApi
  let sql: Sql
  let watched: ReturnType<typeof watchDatabase>
  before(async () => {
    api = await startApi()
    watched = watchDatabase(api.databaseUrl)
    sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
    const insert = (type: number, count: number, name: string) => api.sql`
      insert into item (guid, type, primary_description, secondary_description)
      select gen_random_uuid(), ${type}, replace(${name}, '#', n::text), 'K' || ${type} || n from generate_series(1, ${count}) n`
    await insert(9, 60, 'Kvarnen # Syd')
    await insert(7, 50, 'Kvarnen')
    await insert(3, 30, 'Kvarnen Berg #')
    await insert(2, 1, 'Kvarnen')
    await insert(3, 1, 'Kvarnen')
    await insert(5, 300, 'Ström #')
    await api.sql`
      insert into debtor (id, full_name, city, reg_date)
      select guid, primary_description, 'Lund', now() from item where type = 3`
    await api.sql`vacuum (analyze) item, debtor`
  })
  after(async () => {
    await sql.end()
    await api.close()
  })

  /** The statements of the second time. */
  const count = async (work: () => Promise<unknown>) => {
    await work()
    watched.take()
    await work()
    return watched.take()
  }
  const find = (questions: readonly ItemQuestion[]) =>
    findByLexemes(sql, agencyCaller, questions, { each: 40, enough: 20 })
  for (const text of ['kvarnen syd 7', 'kvarnen berg 3', 'K91', 'kvarnen be', 'k2', 'nothing of it'])
    test(`find the same as apart for "${text}"`, async () => {
      const questions = ask(text).map(({ text: question, weight, type, covered }) => ({
        text: question,
        step: stepOfWeight(weight),
        ...(type !== 3 && { group: weight >= 70 ? 'whole words' : `${weight}`, covered }),
      }))
      const together = await find(questions)
      const apart = await find(questions.map(({ text: question }) => ({ text: question, step: 0 })))
      const kept = new Set(together.map(({ guid }) => guid))
      const worst = Math.max(-1, ...together.map(({ question }) => questions[question]!.step))
      const expected = apart.filter(
        ({ guid, question }) => kept.has(guid) || questions[question]!.step <= worst,
      )
      assert.deepEqual(show(together), show(expected))
    })

  test('a client is not crowded out by a hundred lesser items of its name', async () => {
    const hits = await searchItems(sql, agencyCaller, 'kvarnen', typeOrder)
    assert.equal(hits.length, 20)
    assert.deepEqual(
      hits.map(({ type, primaryDescription }) => `${type} ${primaryDescription}`),
      ['2 Kvarnen', '3 Kvarnen', ...Array.from({ length: 18 }, () => '7 Kvarnen')],
    )
  })

  test('a name that fills the answer takes one statement, with half of the blocks of each question apart', async () => {
    const together = await count(() => searchItems(sql, agencyCaller, 'kvarnen berg', typeOrder))
    assert.equal(together.length, 1)
    const apart = await count(async () => {
      for (const { text } of ask('kvarnen berg')) await find([{ text, step: 0 }])
    })
    assert.ok(sumBlocks(together) * 2 < sumBlocks(apart), `${sumBlocks(together)} of ${sumBlocks(apart)}`)
  })

  test('details are read for the hits alone, and not for all that was found', async () => {
    const hits = await findHits(sql, agencyCaller, 'kvarnen berg', typeOrder)
    assert.deepEqual([hits.length, new Set(hits.map(({ city }) => city))], [20, new Set(['Lund'])])
    const executed = await count(() => findHits(sql, agencyCaller, 'kvarnen berg', typeOrder))
    const rows = executed.map(({ plan }) => countRows(plan, 'debtor'))
    assert.equal(
      rows.reduce((sum, one) => sum + one, 0),
      hits.length,
    )
  })
})
