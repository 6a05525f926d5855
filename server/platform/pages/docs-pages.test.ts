/** The documentation site: every page, its navigation and links, and no scripts. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { pageAddress, docsFolder, docsPages, resolveLink } from './docs-pages.ts'
import { renderMarkdown } from './markdown.ts'
import { pageCsp, servePages } from './pages.ts'

const decisionPages = readdirSync(join(docsFolder, 'decisions'))
  .filter((name) => name !== 'README.md')
  .map((name) => ({ slug: `decisions/${name.slice(0, -'.md'.length)}`, file: `decisions/${name}` }))

let app: FastifyInstance
before(async () => {
  app = fastify()
  servePages(app, { version: '1.2.3' })
  await app.ready()
})
after(() => app.close())

const get = (url: string) => app.inject({ url })
/** The pages and the decision records, which are not in the navigation. */
const bodies = async () =>
  Promise.all(
    [...docsPages, ...decisionPages].map(async (page) => ({
      page,
      body: (await get(pageAddress(page))).body,
    })),
  )
const hrefs = (body: string) => [...body.matchAll(/\shref="([^"]+)"/g)].map(([, href]) => href!)

describe('the documentation', () => {
  test('has a page for each file, with a title, one heading and the navigation', async () => {
    for (const page of docsPages) {
      assert.ok(existsSync(join(docsFolder, page.file)), page.file)
      const { statusCode, headers, body } = await get(pageAddress(page))
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['content-security-policy'], pageCsp)
      assert.ok(body.includes(`<title>${page.title} · Fordra</title>`))
      assert.equal(body.match(/<h1/g)?.length, 1, page.file)
      const current = /<a href="([^"]+)" aria-current="page">/.exec(body)?.[1]
      assert.equal(current, pageAddress(page))
      for (const other of docsPages) assert.ok(body.includes(`href="${pageAddress(other)}"`), other.slug)
      assert.doesNotMatch(body, /<script|<style|\sstyle=|\son\w+=|<!--/i)
    }
  })

  test('has a page for each decision record, linked from the index of decisions', async () => {
    const linked = hrefs((await get('/docs/decisions')).body).filter((href) =>
      href.startsWith('/docs/decisions/'),
    )
    assert.deepEqual(linked.toSorted(), decisionPages.map(({ slug }) => `/docs/${slug}`).toSorted())
    for (const href of linked) assert.match((await get(href)).body, /<h1[^>]*>\d{4}\. /)
  })

  test('has the guides of the table of contents', () => {
    const slugs = docsPages.map(({ slug }) => slug)
    const guides = [
      'integrate',
      'first-agency',
      'payment-plans',
      'payment-files',
      'services',
      'import',
      'operate',
      'operate/settings',
      'operate/backup-and-restore',
    ]
    for (const slug of [...guides, 'glossary', 'formulas', 'rules']) assert.ok(slugs.includes(slug), slug)
  })

  test('serves every guide and every page of the rules', () => {
    for (const folder of ['guides', 'domain']) {
      for (const name of readdirSync(join(docsFolder, folder)))
        assert.ok(
          docsPages.some(({ file }) => file === `${folder}/${name}`),
          name,
        )
    }
  })

  test('has no broken link', async () => {
    const pages = await bodies()
    const idsByPage = new Map(
      pages.map(({ page, body }) => [
        pageAddress(page),
        new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)),
      ]),
    )
    let anchors = 0
    for (const { page, body } of pages) {
      for (const href of hrefs(body).filter((one) => !one.startsWith('http') && !one.startsWith('data:'))) {
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? pageAddress(page) : path
        if (anchor === undefined) {
          const known = ['/', '/reference', '/problems'].includes(target)
          assert.ok(known || (await get(target)).statusCode === 200, `${page.file}: ${href}`)
          continue
        }
        anchors++
        assert.ok(idsByPage.get(target)?.has(anchor), `${page.file}: ${href}`)
      }
    }
    assert.ok(anchors > docsPages.length)
  })

  test('has the pictures of the plans, and no other file', async () => {
    const { statusCode, headers } = await get('/docs/plans/type-1-annuity.svg')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'image/svg+xml')
    for (const path of [
      '/docs/nothing',
      '/docs/decisions/0000-nothing',
      '/docs/decisions/README',
      '/docs/plans/nothing.svg',
      '/docs/plans/..%2f..%2fpackage.svg',
    ])
      assert.equal((await get(path)).statusCode, 404, path)
    assert.equal((await get('/docs/')).headers.location, '/docs')
  })

  test('escapes code, drops HTML, and gives tables headings', async () => {
    const text =
      '# A `<b>`\n\n<!-- hidden -->\n\n<script>x</script>\n\n`<i>`\n\n## A\n\n## A\n\n| a | b |\n| - | - |\n| 1 | <u> |\n'
    const { markup } = renderMarkdown(text)
    assert.match(markup, /<h1 id="a-b">A <code>&lt;b&gt;<\/code><\/h1>/)
    assert.match(markup, /<h2 id="a">A<\/h2>[\s\S]*<h2 id="a-1">A<\/h2>/)
    assert.match(markup, /<code>&lt;i&gt;<\/code>/)
    assert.match(markup, /<div class="scroll"[^>]*tabindex="0"><table>[\s\S]*<th scope="col">a<\/th>/)
    assert.match(markup, /&lt;script&gt;x&lt;\/script&gt;[\s\S]*<td>&lt;u&gt;<\/td>/)
    assert.doesNotMatch(markup, /<script|<u>|hidden/)
  })

  for (const [href, file, leads] of [
    ['../operate/import.md#columns', 'guides/import.md', '/docs/operate/import#columns'],
    ['../OPERATIONS.md', 'operate/install.md', '/docs/operate'],
    ['formulas.md', 'guides/start.md', '/docs/formulas'],
    ['PAYMENT-FILES.md', 'DOMAIN.md', '/docs/payment-files'],
    ['domain/ledger.md#payments', 'DOMAIN.md', '/docs/rules/ledger#payments'],
    ['plans/type-1-annuity.svg', 'DOMAIN.md', '/docs/plans/type-1-annuity.svg'],
    ['#reference', 'operate/settings.md', '#reference'],
    ['0001-dependencies.md', 'decisions/README.md', '/docs/decisions/0001-dependencies'],
    ['https://semver.org', 'OPERATIONS.md', 'https://semver.org'],
    ['../../README.md', 'guides/start.md', undefined],
    ['../services', 'SERVICES.md', undefined],
    ['javascript:alert(1)', 'SERVICES.md', undefined],
  ] as const) {
    test(`a link to ${href} leads to ${leads}`, () => assert.equal(resolveLink(href, file), leads))
  }
})
