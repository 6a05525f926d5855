import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { basePath, operations } from '../../../contract/api.ts'
import { openApiDocument } from '../../../contract/openapi/openapi.ts'
import { problems } from '../../../contract/platform/problem.ts'
import { escapeText, html } from './html.ts'
import { renderMarkdown } from './markdown.ts'
import { pageCsp, prefersJson, servePages } from './pages.ts'
import { selectCoding } from './content-coding.ts'

const app = fastify()
servePages(app, { version: '1.2.3' })
after(() => app.close())
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const json = { accept: 'application/json' }

/** Reads a page and checks it: in English, titled, responsive, and closed to everything but its stylesheet. */
async function readPage(url: string, status = 200): Promise<string> {
  const { statusCode, headers, body } = await get(url, { accept: 'text/html' })
  assert.equal(statusCode, status)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['content-security-policy'], pageCsp)
  assert.equal(headers['cache-control'], 'no-cache')
  assert.match(body, /^<!doctype html>\s*<html lang="en">/i)
  assert.match(body, /<title>[^<]+<\/title>/)
  assert.match(body, /<meta name="viewport" content="width=device-width, initial-scale=1"\s*\/?>/)
  assert.doesNotMatch(body, /<script|<style|\sstyle=|\son\w+=/i)
  return body
}

describe('the OpenAPI document', () => {
  test('is served as JSON', async () => {
    const { statusCode, headers, body } = await get(`${basePath}/openapi.json`)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(openApiDocument({ version: '1.2.3' }))))
  })

  test('is compressed as the client takes it, and else sent as it is', async () => {
    const plain = (await get(`${basePath}/openapi.json`)).body
    for (const [taken, coding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['deflate', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await get(`${basePath}/openapi.json`, { 'accept-encoding': taken })
      assert.equal(answer.headers['content-encoding'], coding)
      assert.match(String(answer.headers.vary), /accept-encoding/)
      assert.equal(unpack(answer.rawPayload).toString(), plain)
    }
  })

  test('is not sent again to a client that has it', async () => {
    const etag = String((await get(`${basePath}/openapi.json`)).headers.etag)
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const { statusCode, headers, body } = await get(`${basePath}/openapi.json`, { 'if-none-match': known })
      assert.equal(statusCode, 304, known)
      assert.equal(headers.etag, etag)
      assert.equal(body, '')
    }
    const { statusCode } = await get(`${basePath}/openapi.json`, { 'if-none-match': '"other"' })
    assert.equal(statusCode, 200)
  })
})

describe('the reference', () => {
  test('is found under its other addresses too', async () => {
    for (const path of ['/reference/', '/reference/plain', '/api/v1/reference']) {
      const { statusCode, headers } = await get(path)
      assert.deepEqual([statusCode, headers.location], [308, '/reference'])
    }
  })

  test('has every operation, schema and problem that the document has', async () => {
    const body = await readPage('/reference')
    for (const { name, path, method, summary } of operations) {
      assert.ok(body.includes(`<article id="${name}">`), name)
      assert.ok(body.includes(`<a href="#${name}">${escapeText(summary)}</a>`), summary)
      assert.ok(body.includes(`<code>${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}</code>`), path)
    }
    for (const name of Object.keys(openApiDocument({ version: '1' }).components.schemas)) {
      assert.ok(body.includes(`id="schema-${name}"`), name)
    }
  })

  test('has no link that leads nowhere', async () => {
    const body = await readPage('/reference')
    const ids = new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
    const links = [...body.matchAll(/\shref="#([^"]+)"/g)].map(([, id]) => id)
    assert.ok(links.length > operations.length)
    for (const link of links) assert.ok(ids.has(link), link)
    const kinds = [...body.matchAll(/\shref="\/problems\/([^"]+)"/g)].map(([, kind]) => kind!)
    assert.ok(kinds.length > operations.length)
    for (const kind of kinds) assert.ok(kind in problems, kind)
  })
})

describe('the coding of an answer', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', 'identity'],
    ['GZIP;q=0.5', 'gzip'],
    ['zstd', 'identity'],
  ] as const) {
    test(`comes as ${coding} for Accept-Encoding ${header}`, () => assert.equal(selectCoding(header), coding))
  }
})

describe('the problems', () => {
  test('are all listed', async () => {
    const body = await readPage('/problems')
    for (const [kind, [, title]] of Object.entries(problems)) {
      assert.ok(body.includes(`<a href="/problems/${kind}">${title}</a>`), kind)
    }
    const { headers, body: text } = await get('/problems', json)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers.vary, 'Accept')
    assert.deepEqual(
      (JSON.parse(text) as { problems: { code: string }[] }).problems.map(({ code }) => code),
      Object.keys(problems),
    )
  })

  for (const [kind, [status, title, help]] of Object.entries(problems)) {
    test(`explain ${kind}`, async () => {
      const body = await readPage(`/problems/${kind}`)
      assert.ok(body.includes(`<h1>${title}</h1>`))
      assert.ok(body.includes(`Status ${status}`))
      assert.ok(body.includes(renderMarkdown(help).markup))
      const described = JSON.parse((await get(`/problems/${kind}`, json)).body) as Record<string, unknown>
      const { example, ...rest } = described
      assert.deepEqual(rest, { type: `/problems/${kind}`, code: kind, status, title, help })
      assert.equal((example as { status: number }).status, status)
    })
  }

  test('has no other kinds', async () => {
    for (const kind of ['unknown', 'toString', '__proto__', '%3Cscript%3E']) {
      const body = await readPage(`/problems/${kind}`, 404)
      assert.ok(!body.includes(decodeURIComponent(kind)))
    }
    const { statusCode, headers, body } = await get('/problems/unknown?name=secret', json)
    assert.equal(statusCode, 404)
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
    const { instance, code } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual({ instance, code }, { instance: '/problems/unknown', code: 'not-found' })
  })

  for (const [accept, isJson] of [
    [undefined, false],
    ['*/*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json', true],
    ['application/problem+json', true],
    ['text/html;q=0.5, application/json', true],
    ['text/html, application/json;q=0.9', false],
  ] as const) {
    test(`come as ${isJson ? 'JSON' : 'HTML'} for Accept ${accept}`, () =>
      assert.equal(prefersJson(accept), isJson))
  }
})

describe('every page', () => {
  test('can be reached from the first one', async () => {
    const body = await readPage('/')
    assert.match(body, /version 1\.2\.3/)
    for (const url of ['/reference', `${basePath}/openapi.json`, '/problems']) {
      assert.ok(body.includes(`href="${url}"`), url)
      assert.equal((await get(url)).statusCode, 200, url)
    }
  })

  test('has the one stylesheet, for light and dark', async () => {
    const body = await readPage('/')
    const url = /<link rel="stylesheet" href="([^"]+)"\s*\/?>/.exec(body)?.[1]
    assert.ok(url !== undefined)
    const { statusCode, headers, body: css } = await get(url)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/css; charset=utf-8')
    assert.match(css, /color-scheme: light dark/)
    assert.ok((await readPage('/problems')).includes(url))
  })

  test('escapes its input', () => {
    const hostile = `<img src=x onerror="alert('1')">&amp;`
    const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;'
    assert.equal(
      html`<p title="${hostile}">${[hostile, undefined]}${html`<b>${1}</b>`}</p>`.markup,
      `<p title="${escaped}">${escaped}<b>1</b></p>`,
    )
    assert.equal(renderMarkdown(`\`${hostile}\``).markup, `<p><code>${escaped}</code></p>\n`)
    assert.equal(
      renderMarkdown(`a < b ${hostile} ![x](https://elsewhere.invalid/x.png)`).markup,
      `<p>a &lt; b ${escaped.replace('&amp;amp;', '&amp;')} x</p>\n`,
    )
  })
})
