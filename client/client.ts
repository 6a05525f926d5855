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
import type { CallOptions } from './call-options.ts'
import { ApiProblem, readProblem, ServiceUnreachable } from './errors.ts'
import type {
  Answer,
  AnswerMethods,
  AnswerOf,
  DryRunMethods,
  DryRunOf,
  Name,
  PageMethods,
  Reply,
  RowMethods,
} from './methods.ts'
import type { ListName, Methods, RedirectInputs, WriteName } from './operations.ts'
import { operationTable } from './operation-table.ts'
import type { ClientOptions, KeptTokens } from './options.ts'
import { buildBody, makeKey, readShape, buildUrl, type Shape } from './request.ts'
import { openSession, type ClientSession } from './session.ts'

export { ApiProblem, ServiceUnreachable }
export type { Answer, CallOptions, ClientOptions, KeptTokens }

export interface ClientExtras {
  /** The same operations, whose answers include headers, such as the resource's `etag`. */
  withAnswer: AnswerMethods
  /** Writes on trial: what each would answer, write, book and send, or its refusal. Nothing is stored or sent. */
  dryRun: DryRunMethods
  /** List operations, page by page. `$skip` is the start, `$top` the page size. */
  pages: PageMethods
  /** List operations, row by row. Rows inserted or deleted meanwhile may be missed or repeated. */
  each: RowMethods
  /** Calls an operation whose name is only known at run time. */
  call<N extends Name>(name: N, input?: object, options?: CallOptions): Promise<AnswerOf<N>>
  /** The rows of a list whose name is only known at run time. */
  callEach(name: ListName, input?: object, options?: CallOptions): AsyncGenerator<Record<string, unknown>>
  /** The URL to open in a browser to sign in through the outside provider. */
  addressOf<N extends keyof RedirectInputs>(name: N, input?: RedirectInputs[N]): string
  /** The current tokens; undefined with a cookie session. */
  readonly tokens: KeptTokens | undefined
}
export type Client = Methods & ClientExtras

export function createClient(options: ClientOptions = {}): Client {
  const context: Context = {
    options,
    send: options.fetch ?? ((input, init) => fetch(input, init)),
    session: openSession(
      options,
      async <N extends Name>(name: N, input: object, headers: Record<string, string>): Promise<Reply<N>> => {
        const call = { name, shape: readShape(name), input: { ...input }, options: { headers } }
        return (await tryAgain(context, call, headers)).body
      },
    ),
  }
  const call: Client['call'] = (name, input = {}, own = {}) =>
    makeCall(context, { name, shape: readShape(name), input: { ...input }, options: own })
  const pages = (name: ListName, input?: Given, own?: CallOptions) =>
    readPages(async (asked) => (await call(name, asked, own)).body, input)
  const callEach: Client['callEach'] = (name, input, own) => readRows(pages(name, { ...input }, own))
  // For `dryRun` the service answers with a DryRun.
  const tryWrite = async (name: WriteName, input?: Given, own?: CallOptions) =>
    (await call(name, { ...input, dryRun: true }, own)).body as unknown as DryRunOf<WriteName>
  return {
    ...byName<Methods>(
      (name) => async (input?: Given, own?: CallOptions) => (await call(name, input, own)).body,
    ),
    withAnswer: byName<AnswerMethods>((name) => (input?: Given, own?: CallOptions) => call(name, input, own)),
    dryRun: byName<DryRunMethods>((name) => (input?: Given, own?: CallOptions) => tryWrite(name, input, own)),
    pages: byName<PageMethods>((name) => (input?: Given, own?: CallOptions) => pages(name, input, own)),
    each: byName<RowMethods>((name) => (input?: Given, own?: CallOptions) => callEach(name, input, own)),
    call,
    callEach,
    addressOf: (name, input?: object) => buildUrl(options.baseUrl ?? '', readShape(name), { ...input }),
    get tokens() {
      return context.session.tokens
    },
  }
}

/** A method per operation. The contract, from which the table is generated, guarantees that each type fits. */
const byName = <M>(make: (name: keyof M) => unknown): M =>
  Object.fromEntries((Object.keys(operationTable) as (keyof M)[]).map((name) => [name, make(name)])) as M

type Given = Record<string, unknown>

interface Context {
  options: ClientOptions
  send: typeof fetch
  session: ClientSession
}

interface PreparedCall<N extends Name> {
  name: N
  shape: Shape
  input: Given
  options: CallOptions
}

/** One call: signs in, retries where that is safe, and once more after renewing tokens. */
async function makeCall<N extends Name>(context: Context, call: PreparedCall<N>): Promise<AnswerOf<N>> {
  const { session } = context
  const { name, shape } = call
  const key = shape.isKeyed ? (call.options.idempotencyKey ?? makeKey()) : undefined
  const headers = {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(call.options.ifMatch !== undefined && { 'If-Match': call.options.ifMatch }),
    ...call.options.headers,
  }
  for (let renewed = false; ; renewed = true) {
    const own = await unlessEnded(session.headersFor(name, shape), call.options.signal)
    try {
      const answer = await tryAgain(context, call, { ...own, ...headers })
      session.learn(name, answer.body)
      return answer
    } catch (error) {
      const refused =
        error instanceof ApiProblem && (error.kind === 'unauthenticated' || error.kind === 'forbidden')
      if (!refused || shape.isPublic || renewed) throw error
      if (!(await unlessEnded(session.renew(error, own), call.options.signal))) throw error
    }
  }
}

/** Stops waiting when the signal aborts. Other calls share the renewal of tokens, so it continues. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

/** The first delay; each further one doubles, with some randomness. */
const firstWaitMs = 250
const longestWaitMs = 20_000

async function tryAgain<N extends Name>(
  context: Context,
  call: PreparedCall<N>,
  headers: Record<string, string>,
): Promise<AnswerOf<N>> {
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

/** The delay before a retry; undefined when there should be none. */
function waitBefore(error: unknown, { method, isKeyed }: Shape, attempt: number): number | undefined {
  const backOff = firstWaitMs * 2 ** attempt * (0.5 + Math.random())
  const isSafe = method === 'GET' || isKeyed
  if (error instanceof ServiceUnreachable) return isSafe ? backOff : undefined
  if (!(error instanceof ApiProblem)) return undefined
  // These mean that nothing was changed, or that the first request is still running under the same key.
  const passing = error.status === 429 || error.status === 503 || error.kind === 'idempotency-in-flight'
  // A proxy had no answer: the change may have been made.
  const unanswered = error.status === 502 || error.status === 504
  if (!passing && !(unanswered && isSafe)) return undefined
  const asked = (error.retryAfter ?? 0) * 1000
  return asked > longestWaitMs ? undefined : Math.max(asked, backOff)
}

async function tryOnce<N extends Name>(
  { options, send }: Context,
  { shape, input, options: own }: PreparedCall<N>,
  headers: Record<string, string>,
): Promise<AnswerOf<N>> {
  own.signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000)
  const body = buildBody(shape, input['body'])
  const url = buildUrl(options.baseUrl ?? '', shape, input)
  try {
    const response = await send(url, {
      method: shape.method,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': body.type }),
        ...options.headers,
        ...headers,
      },
      ...(body && { body: body.content }),
      credentials: options.session === 'cookie' ? 'same-origin' : 'omit',
      signal: own.signal ? AbortSignal.any([own.signal, timeout]) : timeout,
    })
    if (!response.ok || isPage(response)) throw await readProblem(response)
    // The service answers as the contract declares.
    return toAnswer(response, (await readBody(response)) as Reply<N>)
  } catch (error) {
    if (error instanceof ApiProblem) throw error
    own.signal?.throwIfAborted()
    throw new ServiceUnreachable(`No answer to ${shape.method} ${shape.path}.`, { cause: error })
  }
}

/** No operation answers with HTML: a proxy or a network's sign-in page does. */
const isPage = (response: Response): boolean =>
  response.headers.get('content-type')?.includes('text/html') === true

/** A document is returned as bytes. */
const readBody = async (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.includes('json') === false
    ? new Uint8Array(await response.arrayBuffer())
    : response.json()

const toAnswer = <T>(response: Response, body: T): Answer<T> => ({
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
  value: readonly Given[]
}

const pageSize = 100

async function* readPages(read: (input: Given) => Promise<Page>, input: Given = {}): AsyncGenerator<Page> {
  let skip = Number(input['$skip'] ?? 0)
  for (;;) {
    const page = await read({ $top: pageSize, ...input, $skip: skip })
    if (page.value.length > 0) yield page
    skip += page.value.length
    if (page.value.length === 0 || skip >= page.total) return
  }
}

async function* readRows(pages: AsyncGenerator<Page>): AsyncGenerator<Given> {
  for await (const page of pages) yield* page.value
}
