/** Some answers of each server are looked at before they are timed: a fast wrong answer is no answer. */
import type { Bench } from '../drive/measure.ts'
import { buildHeaders, type HttpRequest, type Load } from '../drive/requests.ts'
import type { Scenario } from './scenarios.ts'

/** Throws an Error saying what is implausible. */
export async function checkScenario(bench: Bench, scenario: Scenario): Promise<void> {
  const authorization = { authorization: `Bearer ${await bench.signIn()}` }
  const bareRequests = scenario.bare(bench.supply, 1)
  const requests = scenario.product(bench.supply, 1).slice(0, Math.min(lookedAt, bareRequests.length))
  for (const [index, request] of requests.entries()) {
    const product = await send(bench.product.address, authorization, request)
    const bare = await send(bench.bare.address, {}, bareRequests[index]!)
    const problem = findProblem(scenario, product, bare)
    if (problem !== undefined) throw new Error(`${scenario.name} is not worth measuring: ${problem}.`)
  }
}

/** As many as a search has texts. */
const lookedAt = 7

interface Answer {
  status: number
  body: unknown
}

async function send(address: string, headers: Load['headers'], request: HttpRequest): Promise<Answer> {
  const response = await fetch(address + request.path, {
    method: request.method,
    headers: buildHeaders({ headers } as Load, request),
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
