/** The OpenAPI and AsyncAPI documents, the API reference, the problem pages, and the page that leads to them. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../../../contract/api.ts'
import { asyncApiDocument } from '../../../contract/asyncapi/asyncapi.ts'
import type { OpenApiDocument } from '../../../contract/openapi/openapi-document.ts'
import { withCustomFields, type CustomFieldSchemas } from '../../../contract/openapi/openapi-custom-fields.ts'
import { withServices, type DescribedService } from '../../../contract/openapi/openapi-services.ts'
import { openApiDocument } from '../../../contract/openapi/openapi.ts'
import { serveDocs } from './docs-pages.ts'
import { compressedOnce, KeptText } from './kept-text.ts'
import { html, pageCsp, renderDocsPage, renderPage, stylesheet, type Html } from './html.ts'
import {
  describeProblem,
  findProblemKind,
  renderNoProblem,
  renderProblem,
  renderProblemList,
} from './problem-pages.ts'
import { renderReference } from './reference-page.ts'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'

export { pageCsp } from './html.ts'

const contentHash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)
const stylesheetUrl = `/pages/${contentHash(stylesheet)}.css`
const documentUrl = `${basePath}/openapi.json`
const eventsUrl = `${basePath}/asyncapi.json`
/** The document depends on who asks, so a cache must ask again each time. */
const perCaller = { 'cache-control': 'no-cache', vary: 'authorization, cookie, accept-encoding' }
const forEver = 'public, max-age=31536000, immutable'

export interface PageOptions {
  version: string
  /** The installation's custom fields. The same map while nothing changed. */
  customFields?: () => Promise<CustomFieldSchemas>
  /** The installation's services, which do not change. */
  services?: () => Promise<readonly DescribedService[]>
  /** True for a request of a signed-in user. Only these see what is the installation's own. */
  isSignedIn?: (request: FastifyRequest) => Promise<boolean>
}

const none: CustomFieldSchemas = new Map()

type LoadDocument = (request: FastifyRequest) => Promise<OpenApiDocument>

/** Registers the pages. Sets their content security policy and caching; the app's hooks do the rest. */
export function servePages(app: FastifyInstance, options: PageOptions): void {
  let shipped: OpenApiDocument | undefined
  let served: OpenApiDocument | undefined
  let made: { own: CustomFieldSchemas; document: OpenApiDocument } | undefined
  const loadDocument: LoadDocument = async (request) => {
    shipped ??= openApiDocument({ version: options.version })
    if ((await options.isSignedIn?.(request)) !== true) return shipped
    served ??= withServices(shipped, (await options.services?.()) ?? [])
    // Without the database, custom fields are missing from the document.
    const own = (await options.customFields?.().catch(() => none)) ?? none
    if (made?.own !== own) made = { own, document: withCustomFields(served, own) }
    return made.document
  }
  if (!app.hasRoute({ method: 'GET', url: '/' }))
    app.get('/', (_request, reply) => sendPage(reply, 'Fordra', renderHome(options.version)))
  app.get(stylesheetUrl, (_request, reply) =>
    reply.header('cache-control', forEver).type('text/css; charset=utf-8').send(stylesheet),
  )
  serveDocument(app, documentUrl, loadDocument)
  serveEventsDocument(app, options.version)
  serveReference(app, loadDocument)
  serveProblems(app)
  serveDocs(app, stylesheetUrl)
}

/** The same for everyone, and made when it is first asked for. */
function serveEventsDocument(app: FastifyInstance, version: string): void {
  let document: object | undefined
  serveDocument(app, eventsUrl, async () => (document ??= asyncApiDocument({ version })))
}

function serveDocument(
  app: FastifyInstance,
  url: string,
  loadDocument: (request: FastifyRequest) => Promise<object>,
): void {
  const written = new WeakMap<object, { text: KeptText; etag: string }>()
  app.get(url, compressedOnce, async (request, reply) => {
    const document = await loadDocument(request)
    let cached = written.get(document)
    if (!cached) {
      const text = JSON.stringify(document)
      // Weak, because a compressed copy has the same tag.
      cached = { text: new KeptText(text), etag: `W/"${contentHash(text)}"` }
      written.set(document, cached)
    }
    reply.headers({ etag: cached.etag, ...perCaller })
    if (matchesETag(request.headers['if-none-match'], cached.etag)) return reply.code(304).send()
    return cached.text.send(request, reply.type('application/json; charset=utf-8'))
  })
}

/** True if `If-None-Match` names the tag, by weak comparison as RFC 9110 requires. */
function matchesETag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(opaqueTag)
  return tags.includes('*') || tags.includes(opaqueTag(etag))
}

const opaqueTag = (tag: string) => tag.trim().replace(/^W\//, '')

function serveReference(app: FastifyInstance, loadDocument: LoadDocument): void {
  const pages = new WeakMap<OpenApiDocument, KeptText>()
  app.get('/reference', compressedOnce, async (request, reply) => {
    const document = await loadDocument(request)
    let page = pages.get(document)
    if (page === undefined) {
      const title = 'API reference · Fordra'
      page = new KeptText(renderDocsPage({ title, stylesheet: stylesheetUrl, ...renderReference(document) }))
      pages.set(document, page)
    }
    return page.send(request, asHtml(reply).headers(perCaller))
  })
  for (const other of ['/reference/', '/reference/plain', `${basePath}/reference`])
    app.get(other, (_request, reply) => reply.redirect('/reference', 308))
}

function serveProblems(app: FastifyInstance): void {
  app.get('/problems', (request, reply) => {
    reply.header('vary', 'Accept')
    if (!prefersJson(request.headers.accept)) return sendPage(reply, 'Problems', renderProblemList())
    return sendJson(reply, { problems: (Object.keys(problems) as ProblemKind[]).map(describeProblem) })
  })
  app.get<{ Params: { kind: string } }>('/problems/:kind', (request, reply) => {
    reply.header('vary', 'Accept')
    const kind = findProblemKind(request.params.kind)
    if (kind === undefined) return sendNoProblem(request, reply)
    if (prefersJson(request.headers.accept)) return sendJson(reply, describeProblem(kind))
    return sendPage(reply, problems[kind][1], renderProblem(kind))
  })
}

function sendNoProblem(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(404)
  if (!prefersJson(request.headers.accept)) return sendPage(reply, 'No such problem', renderNoProblem())
  const [status, title] = problems['not-found']
  return reply.type('application/problem+json; charset=utf-8').send(
    JSON.stringify({
      type: '/problems/not-found',
      title,
      status,
      detail: 'There is no problem of that name; GET /problems lists all of them.',
      instance: request.url.split('?')[0],
      code: 'not-found',
      traceId: request.id,
    }),
  )
}

/** True if `Accept` prefers JSON to HTML. Browsers, `*\/*` and a missing header get HTML. */
export function prefersJson(accept = ''): boolean {
  const weights = accept.split(',').map((item) => {
    const [type = '', ...parameters] = item
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, weight: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const best = (pattern: RegExp) =>
    Math.max(0, ...weights.filter(({ type }) => pattern.test(type)).map(({ weight }) => weight))
  return best(/^application\/([\w.-]+\+)?json$/) > best(/^(text\/html|application\/xhtml\+xml)$/)
}

const sendJson = (reply: FastifyReply, value: object): FastifyReply =>
  reply
    .header('cache-control', 'no-cache')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value))

const asHtml = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', pageCsp)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')

const sendPage = (reply: FastifyReply, title: string, body: Html): FastifyReply =>
  asHtml(reply).send(
    renderPage({
      title: title === 'Fordra' ? title : `${title} · Fordra`,
      stylesheet: stylesheetUrl,
      body,
    }),
  )

const renderHome = (version: string): Html =>
  html`<h1>Fordra</h1>
    <p>An open debt-collection platform, version ${version}.</p>
    <ul>
      <li><a href="/docs">Documentation</a>: guides, formulas, glossary</li>
      <li><a href="/reference">API reference</a>: operations, schemas, examples</li>
      <li><a href="${documentUrl}">OpenAPI document</a>, which Postman and code generators import</li>
      <li><a href="${eventsUrl}">AsyncAPI document</a> of the events, for the stream and webhooks</li>
      <li><a href="/problems">Problems</a> that the API reports, and how to mend them</li>
      <li>Health: <a href="/health/live">live</a>, <a href="/health/ready">ready</a></li>
    </ul>`
