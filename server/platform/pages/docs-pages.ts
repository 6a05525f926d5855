/** The documentation, rendered from docs/ on first request: guides, operations, rules. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, pageCsp, renderDocsPage, type Html } from './html.ts'
import { compressedOnce, KeptText } from './kept-text.ts'
import { renderMarkdown } from './markdown.ts'
import { operationsMark, writeOperationsByRole } from './operations-by-role.ts'

export const docsFolder = join(import.meta.dirname, '../../../docs')

export interface DocsPage {
  /** The path below /docs; empty for the first page. */
  slug: string
  /** Below docs/. */
  file: string
  title: string
}

/** The page of a file in docs/domain. */
const rules = (name: string, title: string): DocsPage => ({
  slug: `rules/${name}`,
  file: `domain/${name}.md`,
  title,
})

/** The groups and pages of the navigation, in order. */
const docsGroups: readonly { title: string; pages: readonly DocsPage[] }[] = [
  {
    title: 'Tutorials',
    pages: [
      { slug: '', file: 'guides/start.md', title: 'Documentation' },
      { slug: 'first-agency', file: 'guides/first-agency.md', title: 'Your first agency' },
      { slug: 'integrate', file: 'guides/integrate.md', title: 'Integrate in 15 minutes' },
    ],
  },
  {
    title: 'How-to guides',
    pages: [
      { slug: 'import', file: 'guides/import.md', title: 'Import your data' },
      { slug: 'filters', file: 'guides/filters.md', title: 'Filter and order lists' },
      { slug: 'typescript', file: 'guides/typescript.md', title: 'Use the TypeScript client' },
      { slug: 'python', file: 'guides/python.md', title: 'Use the Python client' },
      { slug: 'odata', file: 'guides/odata.md', title: 'Excel and Power BI' },
      { slug: 'assistants', file: 'guides/assistants.md', title: 'Connect an assistant' },
      { slug: 'keyboard', file: 'guides/keyboard.md', title: 'Work by the keyboard' },
      { slug: 'payment-plans', file: 'guides/payment-plans.md', title: 'Make a payment plan' },
      { slug: 'compare-strategies', file: 'guides/compare-strategies.md', title: 'Compare strategies' },
      { slug: 'payment-files', file: 'PAYMENT-FILES.md', title: 'Bank files, payouts and reports' },
      { slug: 'services', file: 'SERVICES.md', title: 'Write a custom service' },
    ],
  },
  {
    title: 'Operate it',
    pages: [
      { slug: 'operate', file: 'OPERATIONS.md', title: 'Overview' },
      { slug: 'operate/install', file: 'operate/install.md', title: 'Install and start' },
      { slug: 'operate/settings', file: 'operate/settings.md', title: 'Settings' },
      { slug: 'operate/users-and-access', file: 'operate/users-and-access.md', title: 'Users and access' },
      {
        slug: 'operate/backup-and-restore',
        file: 'operate/backup-and-restore.md',
        title: 'Backup and restore',
      },
      { slug: 'operate/point-in-time', file: 'operate/point-in-time.md', title: 'Point-in-time recovery' },
      { slug: 'operate/monitoring', file: 'operate/monitoring.md', title: 'Monitoring' },
      { slug: 'operate/upgrade', file: 'operate/upgrade.md', title: 'Upgrade' },
      { slug: 'operate/scaling-out', file: 'operate/scaling-out.md', title: 'Scale out' },
      { slug: 'operate/import', file: 'operate/import.md', title: 'Import' },
      { slug: 'operate/export', file: 'operate/export.md', title: 'Export' },
      { slug: 'operate/sandbox', file: 'operate/sandbox.md', title: 'Sandbox' },
      { slug: 'operate/jobs', file: 'operate/jobs.md', title: 'Jobs and the day-end' },
      {
        slug: 'operate/events-and-webhooks',
        file: 'operate/events-and-webhooks.md',
        title: 'Events and webhooks',
      },
      {
        slug: 'operate/command-line',
        file: 'operate/command-line.md',
        title: 'Command line and assistants',
      },
      { slug: 'operate/bench', file: 'operate/bench.md', title: 'Bench' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { slug: 'events', file: 'guides/events.md', title: 'Events' },
      { slug: 'formulas', file: 'guides/formulas.md', title: 'The formulas' },
      { slug: 'glossary', file: 'guides/glossary.md', title: 'Glossary' },
    ],
  },
  {
    title: 'The rules',
    pages: [
      { slug: 'rules', file: 'DOMAIN.md', title: 'The rules' },
      rules('dates-and-amounts', 'Dates and amounts'),
      rules('as-of', 'As of a day'),
      rules('debtors', 'Debtors and addresses'),
      rules('clients', 'Clients and client records'),
      rules('cases', 'Cases and their life-cycle'),
      rules('ledger', 'Ledger, payments and allocation'),
      rules('interest', 'Interest'),
      rules('fees', 'Fees'),
      rules('limitation', 'Limitation'),
      rules('law', 'Law'),
      { slug: 'law', file: 'LAW.md', title: 'The law by country' },
      rules('contact', 'Contact permission'),
      rules('approvals', 'Second persons'),
      rules('demand-groups', 'Demand groups'),
      rules('objections', 'Objections, complaints and hardship'),
      rules('payment-plans', 'Payment plans'),
      rules('treasury', 'Bank files, suspense and client money'),
      rules('strategies', 'Strategies and letters'),
      rules('work', 'The work of case handlers'),
      rules('bulk-actions', 'Actions on many records'),
      rules('jobs', 'Day-end, jobs, services and imports'),
      rules('forms', 'Forms and custom fields'),
      rules('lookups-and-search', 'Lookups, navigation and search'),
      rules('access', 'Access'),
      rules('operations-by-role', 'Operations by role'),
      rules('sign-in', 'Sessions and sign-in'),
      rules('events-and-audit', 'Events and audit'),
      rules('privacy', 'Personal data'),
    ],
  },
  {
    title: 'Background',
    pages: [
      { slug: 'architecture', file: 'ARCHITECTURE.md', title: 'Architecture' },
      { slug: 'extend', file: 'extend.md', title: 'Extend Fordra' },
      { slug: 'decisions', file: 'decisions/README.md', title: 'Decisions' },
      { slug: 'threats', file: 'THREATS.md', title: 'Threats' },
      { slug: 'scale', file: 'SCALE.md', title: 'A hundred million debtors' },
    ],
  },
]
export const docsPages = docsGroups.flatMap(({ pages }) => pages)
/** The file of a decision record. The index of decisions links to it; the navigation does not. */
const recordFile = /^decisions\/\d{4}-[\w-]+\.md$/

export const pageAddress = ({ slug }: Pick<DocsPage, 'slug'>): string =>
  slug === '' ? '/docs' : `/docs/${slug}`

/** Registers /docs and everything below it. Other addresses there give a 404. */
export function serveDocs(app: FastifyInstance, stylesheetUrl: string): void {
  const rendered = new Map<string, KeptText>()
  const sendPage = (page: DocsPage, request: FastifyRequest, reply: FastifyReply) => {
    const text = rendered.get(page.slug) ?? new KeptText(renderWhole(page, stylesheetUrl))
    rendered.set(page.slug, text)
    const headers = {
      'content-security-policy': pageCsp,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    }
    return text.send(request, reply.headers(headers).type('text/html; charset=utf-8'))
  }
  for (const page of docsPages)
    app.get(pageAddress(page), compressedOnce, (request, reply) => sendPage(page, request, reply))
  app.get<{ Params: { name: string } }>('/docs/decisions/:name', compressedOnce, (request, reply) => {
    const slug = `decisions/${request.params.name}`
    const file = `${slug}.md`
    if (!recordFile.test(file) || !existsSync(join(docsFolder, file))) return reply.callNotFound()
    return sendPage({ slug, file, title: `Decision ${request.params.name.slice(0, 4)}` }, request, reply)
  })
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
  app.get<{ Params: { name: string } }>('/docs/plans/:name.svg', (request, reply) => {
    const file = join(docsFolder, 'plans', `${request.params.name}.svg`)
    if (!/^[\w-]+$/.test(request.params.name) || !existsSync(file)) return reply.callNotFound()
    return reply
      .header('content-security-policy', `${pageCsp}; style-src 'unsafe-inline'`)
      .header('cache-control', 'no-cache')
      .type('image/svg+xml')
      .send(readFileSync(file))
  })
}

function renderWhole(page: DocsPage, stylesheet: string): string {
  const text = readFileSync(join(docsFolder, page.file), 'utf8')
  const filled = text.replace(operationsMark, writeOperationsByRole)
  const body = renderMarkdown(filled, (href) => resolveLink(href, page.file))
  return renderDocsPage({ title: `${page.title} · Fordra`, stylesheet, body, nav: renderNavigation(page) })
}

const renderNavigation = (shown: DocsPage): Html =>
  html`<nav aria-label="Documentation">
    ${docsGroups.map(
      ({ title, pages }) =>
        html`<h2>${title}</h2>
          <ul>
            ${pages.map((page) =>
              page === shown
                ? html`<li><a href="${pageAddress(page)}" aria-current="page">${page.title}</a></li>`
                : html`<li><a href="${pageAddress(page)}">${page.title}</a></li>`,
            )}
          </ul>`,
    )}
    <h2>The API</h2>
    <ul>
      <li><a href="/reference">Reference</a></li>
      <li><a href="/problems">Problems</a></li>
    </ul>
  </nav>`

/** Undefined for a file of the repository that is no page: it is named, not linked. */
export function resolveLink(href: string, file: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = join('/', file, '..', path).slice(1)
  if (/^plans\/[\w-]+\.svg$/.test(target)) return `/docs/${target}`
  const tail = anchor === undefined ? '' : `#${anchor}`
  if (recordFile.test(target)) return `/docs/${target.slice(0, -'.md'.length)}${tail}`
  const page = docsPages.find((one) => one.file === target)
  return page && pageAddress(page) + tail
}
