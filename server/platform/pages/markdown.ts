/** Markdown as HTML: pages of the documentation, and the descriptions of the API. */
import { Marked, type Tokens } from 'marked'
import { escapeText, html, type Html } from './html.ts'

/** Where a link leads; undefined when its words stand without a link. */
export type ResolveLink = (href: string) => string | undefined

const absoluteLink: ResolveLink = (href) => (/^(https?:|#|\/)/.test(href) ? href : undefined)

/** Headings get anchors, tables scroll, comments go, and other HTML in the text is escaped. */
export function renderMarkdown(text: string, resolveLink: ResolveLink = absoluteLink): Html {
  const used = new Map<string, number>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading(token: Tokens.Heading) {
        const id = headingAnchor(token.text, used)
        return `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`
      },
      link(token: Tokens.Link) {
        const words = this.parser.parseInline(token.tokens)
        const target = resolveLink(token.href)
        return target === undefined ? words : html`<a href="${target}">${{ markup: words }}</a>`.markup
      },
      // The pages load nothing by an address that stands in a text.
      image: (token: Tokens.Image) => escapeText(token.text),
      html: (token: Tokens.HTML | Tokens.Tag) =>
        token.text.startsWith('<!--') ? '' : escapeText(token.text),
    },
    hooks: {
      postprocess: (made) =>
        made
          .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
          .replaceAll('<pre>', '<pre tabindex="0">')
          .replaceAll('</table>', '</table></div>')
          .replaceAll(/<th( align="\w+")?><\/th>/g, '<td></td>')
          .replaceAll(/<th( align="\w+")?>/g, '<th scope="col"$1>'),
    },
  })
  return { markup: marked.parse(text, { async: false }) }
}

/** The same anchor as code hosts give the heading, so that links in the files work everywhere. */
function headingAnchor(text: string, used: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const count = used.get(plain) ?? 0
  used.set(plain, count + 1)
  return count === 0 ? plain : `${plain}-${count}`
}
