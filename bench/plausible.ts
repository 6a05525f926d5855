/** One answer of each server is looked at before it is timed: a fast wrong answer is no answer. */
import type { Bench } from './measure.ts'
import { headersOf, type HttpRequest, type Load } from './requests.ts'
import type { Scenario } from './scenarios.ts'

/** Throws an Error saying what is implausible. */
export async function checkScenario(bench: Bench, scenario: Scenario): Promise<void> {
  const authorization = { authorization: `Bearer ${await bench.signIn()}` }
  const product = await send(bench.product.address, authorization, scenario.product(bench.supply, 1)[0]!)
  const bare = await send(bench.bare.address, {}, scenario.bare(bench.supply, 1)[0]!)
  const problem = findProblem(scenario, product, bare)
  if (problem === undefined) return
  throw new Error(`${scenario.name} is not worth measuring: ${problem}.`)
}

interface Answer {
  status: number
  body: unknown
}

async function send(address: string, headers: Load['headers'], request: HttpRequest): Promise<Answer> {
  const response = await fetch(address + request.path, {
    method: request.method,
    headers: headersOf({ headers } as Load, request),
    ...(request.body && { body: JSON.stringify(request.body) }),
  })
  return { status: response.status, body: await response.json() }
}

const usualPage = 25

function findProblem(scenario: Scenario, product: Answer, bare: Answer): string | undefined {
  if (product.status !== scenario.status) return `the product answers ${product.status}`
  if (bare.status !== 200) return `the bare server answers ${bare.status}`
  if (!scenario.page) return undefined
  const { count, total, value } = product.body as { count: number; total: number; value: unknown[] }
  const rows = (bare.body as unknown[]).flat().length
  if (count !== value.length || count > total || count === 0)
    return `the product's page has ${count} of ${total}`
  if (count < usualPage && count !== total) return `the product's page has ${count} of ${total}`
  // The statements that count, where there are some, have one row each.
  if (rows < count || rows > count + 1) return `the bare server has ${rows} rows and the product ${count}`
  return undefined
}
