/**
 * What a hand-written Node server does for the drawn requests, as fast as we can make it: prepared statements that give
 * JSON, and totals that it remembers until something is written through it. It knows no sessions, validation,
 * restriction, audit trail or events.
 */
import { v7 as uuidv7 } from 'uuid'
import type { DemoDebtor } from '../../cli/demo/debtors.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { bareCreateParameters, bareCreateText, writeAddressUpdate, writeUpdate } from './bare-writes.ts'
import {
  byKeyText,
  casesText,
  writeCount,
  writePage,
  writeSearch,
  type ListQuestion,
} from './reference-queries.ts'
import { payByHand, type PaymentBody } from './reference-payments.ts'
import { moveAtOnce, moveInBatches, type Transfer } from './transfers.ts'

export interface Reference {
  /** @param path the first part names the work, the rest is its argument. */
  answer(path: string, body: string): Promise<string>
}

type Parameters = (string | number | null)[]
type Work = Record<string, (argument: string, body: string) => Promise<string>>

export function openReference(sql: Sql): Reference {
  const totals = new Map<string, Promise<number>>()
  const run = <T>(text: string, parameters: Parameters) =>
    sql.unsafe(text, parameters, { prepare: true }) as unknown as Promise<T[]>
  const work = {
    ...makeReads(run, totals),
    ...makeWrites(run, totals),
    ...makePayments(sql),
    ...makeTransfers(sql),
  }
  return {
    answer: (path, body) => {
      const [, name = '', argument = ''] = path.split('/', 3)
      return work[name]!(decodeURIComponent(argument), body)
    },
  }
}

type Run = <T>(text: string, parameters: Parameters) => Promise<T[]>

function makeReads(run: Run, totals: Map<string, Promise<number>>): Work {
  const readJson = async (text: string, parameters: string[]) =>
    (await run<{ json: string }>(text, parameters))[0]!.json
  const count = (question: ListQuestion): Promise<number> => {
    const { text, parameters } = writeCount(question)
    const key = JSON.stringify([text, parameters])
    const known = totals.get(key) ?? run<{ total: number }>(text, parameters).then(([row]) => row!.total)
    totals.set(key, known)
    return known
  }
  return {
    debtor: (id) => readJson(byKeyText, [id]),
    cases: (id) => readJson(casesText, [id]),
    search: (typed) => {
      const { text, parameters } = writeSearch(typed)
      return readJson(text, parameters)
    },
    list: async (argument) => {
      const question = JSON.parse(argument) as ListQuestion
      const total = await count(question)
      const { text, parameters } = writePage(question, total)
      return `{"total":${total},"value":${await readJson(text, parameters)}}`
    },
  }
}

const readMember = (body: string) =>
  Object.entries(JSON.parse(body) as Record<string, string | number>)[0] as [string, string | number]

function makeWrites(run: Run, totals: Map<string, Promise<number>>): Work {
  const change = async (text: string, parameters: Parameters) => {
    await run(text, parameters)
    totals.clear()
    return '{"stored":true}'
  }
  return {
    create: (_none, body) =>
      change(
        bareCreateText,
        bareCreateParameters([uuidv7(), uuidv7()], JSON.parse(body) as Partial<DemoDebtor>),
      ),
    update: (id, body) => {
      const [member, value] = readMember(body)
      return change(writeUpdate(member), [id, value])
    },
    address: (id, body) => {
      const [member, value] = readMember(body)
      return change(writeAddressUpdate(member), [id, value])
    },
  }
}

function makePayments(sql: Sql): Work {
  const pay = payByHand(sql)
  return {
    payment: async (_none, body) => {
      await pay(JSON.parse(body) as PaymentBody)
      return '{"paid":true}'
    },
  }
}

function makeTransfers(sql: Sql): Work {
  const [moveOne, moveMany] = [moveAtOnce(sql), moveInBatches(sql)]
  return {
    atomic: async (_none, body) => {
      await moveOne(JSON.parse(body) as Transfer)
      return '{"moved":true}'
    },
    batched: async (_none, body) => {
      await moveMany(JSON.parse(body) as Transfer)
      return '{"moved":true}'
    },
  }
}
