/** The documentation, rendered from docs/ when it is first asked for: guides, the operator's book, the rules. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { html, pageCsp, renderDocsPage, type Html } from './html.ts'
import { renderMarkdown } from './markdown.ts'

export const docsFolder = join(import.meta.dirname, '../../../docs')

export interface DocsPage {
  /** The address below /docs; that of the first page is empty. */
  slug: string
  /** Below docs/. */
  file: string
  title: string
}

/** What the navigation shows, in this order. */
export const docsGroups: readonly { title: string; pages: readonly DocsPage[] }[] = [
  {
    title: 'Guides',
    pages: [
      { slug: '', file: 'guides/start.md', title: 'Where to begin' },
      { slug: 'integrate', file: 'guides/integrate.md', title: 'Integrate in 15 minutes' },
      { slug: 'events', file: 'guides/events.md', title: 'Events' },
      { slug: 'first-agency', file: 'guides/first-agency.md', title: 'Your first agency' },
      { slug: 'payment-plans', file: 'guides/payment-plans.md', title: 'Payment plans explained' },
      { slug: 'import', file: 'guides/import.md', title: 'Import your data' },
      { slug: 'payment-files', file: 'PAYMENT-FILES.md', title: 'Bank files, payouts and reports' },
      { slug: 'services', file: 'SERVICES.md', title: 'Write a service' },
      { slug: 'operate', file: 'OPERATIONS.md', title: 'Operate it' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { slug: 'formulas', file: 'guides/formulas.md', title: 'The formulas' },
      { slug: 'rules', file: 'DOMAIN.md', title: 'The rules' },
      { slug: 'glossary', file: 'guides/glossary.md', title: 'Glossary' },
    ],
  },
  {
    title: 'Inside',
    pages: [
      { slug: 'architecture', file: 'ARCHITECTURE.md', title: 'Architecture' },
      { slug: 'decisions', file: 'DECISIONS.md', title: 'Decisions' },
      { slug: 'scale', file: 'SCALE.md', title: 'A hundred million debtors' },
    ],
  },
]
export const docsPages = docsGroups.flatMap(({ pages }) => pages)
export const addressOf = ({ slug }: DocsPage): string => (slug === '' ? '/docs' : `/docs/${slug}`)

/** Registers /docs and what is below it. Other addresses there are not found. */
export function serveDocs(app: FastifyInstance, stylesheetUrl: string): void {
  const rendered = new Map<string, string>()
  for (const page of docsPages) {
    app.get(addressOf(page), (_request, reply) => {
      const text = rendered.get(page.slug) ?? renderWhole(page, stylesheetUrl)
      rendered.set(page.slug, text)
      return reply
        .header('content-security-policy', pageCsp)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(text)
    })
  }
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
  const body = renderMarkdown(text, (href) => linkOf(href, page.file))
  return renderDocsPage({ title: `${page.title} · Fordra`, stylesheet, body, nav: navigationOf(page) })
}

const navigationOf = (shown: DocsPage): Html =>
  html`<nav aria-label="Documentation">
    ${docsGroups.map(
      ({ title, pages }) =>
        html`<h2>${title}</h2>
          <ul>
            ${pages.map((page) =>
              page === shown
                ? html`<li><a href="${addressOf(page)}" aria-current="page">${page.title}</a></li>`
                : html`<li><a href="${addressOf(page)}">${page.title}</a></li>`,
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
export function linkOf(href: string, file: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = join('/', file, '..', path).slice(1)
  if (/^plans\/[\w-]+\.svg$/.test(target)) return `/docs/${target}`
  const page = docsPages.find((one) => one.file === target)
  return page && addressOf(page) + (anchor === undefined ? '' : `#${anchor}`)
}
