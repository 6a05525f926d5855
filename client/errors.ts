import type { Problem, ProblemKind } from './operations.ts'

/** The service refused: problem details (RFC 9457), identified by their kind. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  /** The kind of the problem; `internal` for an answer without problem details, such as a proxy's. */
  readonly kind: ProblemKind
  readonly status: number
  /** What is wrong and what to do. */
  readonly detail: string
  /** Error messages by member path. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Give it to an administrator. */
  readonly requestId: string
  /** Seconds to wait, if the service says so. */
  readonly retryAfter: number | undefined
  /** All members, including extensions of the standard. */
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

/** No answer, or not in time. A change may or may not have been made. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}

/** Reads an error answer of the service or of anything in between. */
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
