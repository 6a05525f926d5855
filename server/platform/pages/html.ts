/** Text that is HTML already; strings are escaped. */
export interface Html {
  readonly markup: string
}
type Part = string | number | Html | undefined | readonly Part[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character]!)

const render = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map(render).join('')
}

/** A template whose values are escaped, unless they are HTML. Attributes need quotes. */
export const html = (literals: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: literals.map((literal, index) => literal + render(parts[index])).join(''),
})

const closed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The content security policy of a page: our own stylesheet and nothing else. */
export const pageCsp = `${closed}; style-src 'self'; img-src data:`

/** A whole page without scripts. */
export const renderPage = (options: { title: string; stylesheet: string; body: Html }): string =>
  renderDocument(
    options,
    html`<body>
      <a class="skip" href="#main">Skip to the content</a>
      <header><a href="/">Fordra</a></header>
      <main id="main">${options.body}</main>
    </body>`,
  )

/** A page of the documentation, with navigation. */
export const renderDocsPage = (options: {
  title: string
  stylesheet: string
  nav: Html
  body: Html
}): string =>
  renderDocument(
    options,
    html`<body class="docs">
      <a class="skip" href="#main">Skip to the content</a>
      <header><a href="/">Fordra</a> <a href="/docs">Documentation</a></header>
      <div class="columns">
        ${options.nav}
        <main id="main">${options.body}</main>
      </div>
    </body>`,
  )

const renderDocument = ({ title, stylesheet }: { title: string; stylesheet: string }, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylesheet}" />
      </head>
      ${body}
    </html> `.markup

/** The stylesheet of all our pages. */
export const stylesheet = `:root { color-scheme: light dark; --line: light-dark(#c9ced6, #454c57); --soft: light-dark(#f3f5f8, #1d2127);
  --link: light-dark(#0b57a4, #8ec1ff) }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; color: light-dark(#1a1d21, #e6e8eb);
  background: light-dark(#fff, #121417) }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; background: light-dark(#fff, #121417); padding: .5rem }
header { font-weight: 600; border-bottom: 1px solid var(--line); padding-bottom: .5rem }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 .5rem }
code, pre { font: .9em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere }
pre { padding: .75rem; white-space: pre-wrap }
pre code { padding: 0; background: none; font-size: 1em }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 }
caption { text-align: start; font-weight: 600; padding: .25rem 0 }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem .35rem 0; text-align: start; vertical-align: top }
td p { margin: 0 0 .35rem }
.docs { max-width: 78rem; font-size: .9375rem; --link: light-dark(#23669a, #8ab6d7); --line: light-dark(#c3c9d0, #3a424c);
  --soft: light-dark(#eff6fb, #1f242b); background: light-dark(#fff, #181c22); color: light-dark(#1f242b, #e3e6ea) }
.docs header a { margin-inline-end: 1.5rem; text-decoration: none }
.docs .columns { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2.5rem }
.docs nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 1rem }
.docs nav h2 { font-size: .8438rem; margin: 1.25rem 0 .25rem }
.docs nav ul { list-style: none; margin: 0; padding: 0 }
.docs nav a { display: block; padding: .25rem .5rem; border-radius: 4px; text-decoration: none }
.docs nav [aria-current] { background: var(--soft); font-weight: 600 }
.docs h1 { font-size: 1.375rem } .docs h2 { font-size: 1.0625rem } .docs h3 { font-size: .9375rem }
.docs [align=right] { text-align: end }
.docs pre { white-space: pre; overflow-x: auto } .docs article pre { white-space: pre-wrap } .docs .scroll { overflow-x: auto }
@media (max-width: 56rem) { .docs .columns { display: block } .docs nav { position: static; max-height: none } }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%) }
  tr, th, td { display: block; border: 0; padding: 0 }
  tbody tr { border-bottom: 1px solid var(--line); padding: .5rem 0 }
}
`
