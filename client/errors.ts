import type { Problem, ProblemKind } from '../contract/platform/problem.ts'

/** The service refused: problem details (RFC 9457), with the kind to tell one from another. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  /** A kind of `contract/platform/problem.ts`; `internal` for an answer that is no problem details, as of a proxy. */
  readonly kind: ProblemKind
  readonly status: number
  /** What was wrong and what would be right. */
  readonly detail: string
  /** From a member path to what is wrong with it. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** To give to an administrator. */
  readonly requestId: string
  /** Seconds to wait, where the service says so. */
  readonly retryAfter: number | undefined
  /** All members, also those beyond the standard's. */
  readonly problem: Problem

  constructor(problem: Problem, headers: Headers) {
    super(`${problem.title}: ${problem.detail}`)
    this.kind = (problem.code ?? 'internal') as ProblemKind
    this.status = problem.status
    this.detail = problem.detail
    this.errors = problem.errors ?? {}
    this.requestId = problem.traceId ?? headers.get('x-request-id') ?? ''
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
    this.problem = problem
  }
}

/** No answer came, or not in time. Whether a change was made is not known. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}

/** Reads a refusal, whoever gave it. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => '')
  return new ApiProblem(
    parseProblem(text) ?? {
      type: 'about:blank',
      title: response.statusText || `Status ${response.status}`,
      status: response.status,
      detail: 'The answer is not of the service itself; something between may have given it.',
      instance: new URL(response.url, 'http://localhost').pathname,
    },
    response.headers,
  )
}

function parseProblem(text: string): Problem | undefined {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null
    return typeof value?.status === 'number' && typeof value.detail === 'string'
      ? (value as Problem)
      : undefined
  } catch {
    return undefined
  }
}
