/**
 * The typed client of the service, for browsers and Node: every operation of the contract is a method by its name.
 *
 *     const api = createClient({ baseUrl: 'https://collections.example' })
 *     await api.login({ body: { login: 'eva', password } })
 *     const debtor = await api.getDebtor({ debtorGuid })
 *     for await (const row of api.each.listDebtors({ $filter: "city eq 'Malmö'" })) console.log(row.fullName)
 *
 * A refusal throws `ApiProblem`, no answer `ServiceUnreachable`, and an ended `signal` its reason.
 */
import { ApiProblem, readProblem, ServiceUnreachable } from './errors.ts'
import type { Answer, AnswerMethods, Input, Methods, PageMethods, Redirect, RowMethods } from './methods.ts'
import { operationTable } from './operation-table.ts'
import type { CallOptions, ClientOptions, KeptTokens } from './options.ts'
import { bodyOf, makeKey, shapeOf, urlOf, type Shape } from './request.ts'
import { openSession, type ClientSession } from './session.ts'

export { ApiProblem, ServiceUnreachable }
export type { Answer, CallOptions, ClientOptions, KeptTokens }

export interface ClientExtras {
  /** The same operations, answering with the headers too: the `etag` of a resource. */
  withAnswer: AnswerMethods
  /** List operations, page by page. `$skip` is where to begin, `$top` the size of a page. */
  pages: PageMethods
  /** List operations, row by row. Rows that are inserted or deleted meanwhile may be missed or come twice. */
  each: RowMethods
  /** Where to send a browser to sign in through the outside provider. */
  addressOf<N extends Redirect['name']>(name: N, input?: Input<Extract<Redirect, { name: N }>>): string
  /** The tokens kept now; undefined with a session by cookie. */
  readonly tokens: KeptTokens | undefined
}
export type Client = Methods & ClientExtras

export function createClient(options: ClientOptions = {}): Client {
  const context: Context = {
    options,
    send: options.fetch ?? ((input, init) => fetch(input, init)),
    session: openSession(options, async (name, input, headers) => {
      const answer = await tryAgain(
        context,
        { name, shape: shapeOf(name), input: { ...input }, options: { headers } },
        headers,
      )
      return answer.body as never
    }),
  }
  const answers: Record<string, (input?: Given, call?: CallOptions) => Promise<Answer<unknown>>> = {}
  const client: Record<string, unknown> = { withAnswer: answers, pages: {}, each: {} }
  for (const name of Object.keys(operationTable)) {
    const answer = (answers[name] = (input = {}, call = {}) =>
      makeCall(context, { name, shape: shapeOf(name), input, options: call }))
    const method = async (input?: Given, call?: CallOptions) => (await answer(input, call)).body
    client[name] = method
    const pages = (input?: Given, call?: CallOptions) => readPages(method as ReadPage, input, call)
    ;(client['pages'] as Record<string, unknown>)[name] = pages
    ;(client['each'] as Record<string, unknown>)[name] = (input?: Given, call?: CallOptions) =>
      readRows(pages(input, call))
  }
  client['addressOf'] = (name: string, input: Given = {}) =>
    urlOf(options.baseUrl ?? '', shapeOf(name), input)
  Object.defineProperty(client, 'tokens', { get: () => context.session.tokens })
  return client as unknown as Client
}

type Given = Record<string, unknown>

interface Context {
  options: ClientOptions
  send: typeof fetch
  session: ClientSession
}

interface CallOf {
  name: string
  shape: Shape
  input: Given
  options: CallOptions
}

/** One call of the user's: signed in, tried again where that is safe, and once more after its tokens were renewed. */
async function makeCall(context: Context, call: CallOf): Promise<Answer<unknown>> {
  const { session } = context
  const { name, shape } = call
  const key = shape.isKeyed ? (call.options.idempotencyKey ?? makeKey()) : undefined
  const headers = {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(call.options.ifMatch !== undefined && { 'If-Match': call.options.ifMatch }),
    ...call.options.headers,
  }
  for (let renewed = false; ; renewed = true) {
    const own = await session.headersFor(name, shape)
    try {
      const answer = await tryAgain(context, call, { ...own, ...headers })
      session.learn(name, answer.body)
      return answer
    } catch (error) {
      const refused =
        error instanceof ApiProblem && (error.kind === 'unauthenticated' || error.kind === 'forbidden')
      if (!refused || shape.isPublic || renewed || !(await session.renew(error, own))) throw error
    }
  }
}

/** The first wait; each further one is twice as long, and every wait somewhat by chance. */
const firstWaitMs = 250
const longestWaitMs = 20_000

async function tryAgain(
  context: Context,
  call: CallOf,
  headers: Record<string, string>,
): Promise<Answer<unknown>> {
  const retries = context.options.retries ?? 2
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryOnce(context, call, headers)
    } catch (error) {
      const waitMs = waitBefore(error, call.shape, attempt)
      if (attempt >= retries || waitMs === undefined) throw error
      await pause(waitMs, call.options.signal)
    }
  }
}

/** How long to wait before another try; undefined when there should be none. */
function waitBefore(error: unknown, { method, isKeyed }: Shape, attempt: number): number | undefined {
  const backOff = firstWaitMs * 2 ** attempt * (0.5 + Math.random())
  if (error instanceof ServiceUnreachable) return method === 'GET' || isKeyed ? backOff : undefined
  if (!(error instanceof ApiProblem)) return undefined
  // These say that nothing was changed, or that the first try is still at work under the same key.
  const passing = error.status === 429 || error.status === 503 || error.kind === 'idempotency-in-flight'
  if (!passing) return undefined
  const asked = (error.retryAfter ?? 0) * 1000
  return asked > longestWaitMs ? undefined : Math.max(asked, backOff)
}

async function tryOnce(
  { options, send }: Context,
  { shape, input, options: own }: CallOf,
  headers: Record<string, string>,
): Promise<Answer<unknown>> {
  own.signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000)
  const body = bodyOf(shape, input['body'])
  const url = urlOf(options.baseUrl ?? '', shape, input)
  try {
    const response = await send(url, {
      method: shape.method,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': body.type }),
        ...options.headers,
        ...headers,
      },
      ...(body && { body: body.sent }),
      credentials: options.session === 'cookie' ? 'same-origin' : 'omit',
      signal: own.signal ? AbortSignal.any([own.signal, timeout]) : timeout,
    })
    if (!response.ok) throw await readProblem(response)
    return answerOf(response, await readBody(response))
  } catch (error) {
    if (error instanceof ApiProblem) throw error
    own.signal?.throwIfAborted()
    throw new ServiceUnreachable(`No answer to ${shape.method} ${shape.path}.`, { cause: error })
  }
}

/** A document comes as its bytes. */
const readBody = async (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.includes('json') === false
    ? new Uint8Array(await response.arrayBuffer())
    : response.json()

const answerOf = (response: Response, body: unknown): Answer<unknown> => ({
  body,
  status: response.status,
  etag: response.headers.get('etag') ?? undefined,
  location: response.headers.get('location') ?? undefined,
  requestId: response.headers.get('x-request-id') ?? '',
  replayed: response.headers.get('idempotency-replayed') === 'true',
})

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

interface Page {
  total: number
  value: unknown[]
}
type ReadPage = (input?: Given, call?: CallOptions) => Promise<Page>

const pageSize = 100

async function* readPages(read: ReadPage, input: Given = {}, call?: CallOptions): AsyncGenerator<Page> {
  let skip = Number(input['$skip'] ?? 0)
  for (;;) {
    const page = await read({ $top: pageSize, ...input, $skip: skip }, call)
    if (page.value.length > 0) yield page
    skip += page.value.length
    if (page.value.length === 0 || skip >= page.total) return
  }
}

async function* readRows(pages: AsyncGenerator<Page>): AsyncGenerator<unknown> {
  for await (const page of pages) yield* page.value
}
