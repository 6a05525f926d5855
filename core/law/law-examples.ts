/** Writes the examples that authorities published, and the searches for them, as a part of docs/LAW.md. */
import rates from '../interest/vectors/annual-percentage.json' with { type: 'json' }
import interest from '../interest/vectors/late-interest.json' with { type: 'json' }
import { formatMinor } from '../money/money.ts'
import amounts from './vectors/published-amounts.json' with { type: 'json' }

const cell = (text: string) => text.replaceAll('|', '\\|')

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const inMajor = (minor: number) => (minor / 100).toFixed(2)

/** The Commission's own examples. Others in the file come from directives by memory or from third parties. */
const ofCommission = rates.vectors.filter(({ id }) => id.startsWith('EC-') || id.startsWith('COM2005'))

export const writeExamples = (): string => `## Worked examples

What authorities worked out and published. A test computes each by the rules above, and one cent more is refused.

### Late interest

${writeInterest()}

These published amounts follow from no day count and rate that was tried. They are kept here with the amount by the rules.

${table(
  ['example', 'principal', 'first day', 'last day', 'published', 'by the rules', 'source'],
  interest.notReproduced.map(({ code, principal, from, to, published, computed, source }) => [
    `\`${code}\``,
    inMajor(principal),
    from,
    to,
    inMajor(published),
    inMajor(computed),
    source,
  ]),
)}

### What may be charged

${writeAmounts()}

### Annual percentage rate

The European Commission's examples for payments in any rhythm, by which payment plans are checked too.

${writeRates()}

### Searches

${searches.map((line) => `- ${line}`).join('\n')}
`

const writeInterest = () =>
  table(
    ['example', 'principal', 'rate', 'first day', 'last day', 'interest', 'remarks', 'source'],
    interest.vectors.map(({ code, principal, rate, from, to, interest: amount, remark, source }) => [
      `\`${code}\``,
      inMajor(principal),
      rate === null ? 'statutory' : `${rate} %`,
      from,
      to,
      inMajor(amount),
      remark,
      source,
    ]),
  )

const writeAmounts = () =>
  table(
    ['example', 'principal', 'fee', 'at most', 'remarks', 'source'],
    amounts.vectors.map(({ code, principal, currency, action, highest, remark, source }) => [
      `\`${code}\``,
      `${formatMinor(BigInt(principal), currency)} ${currency}`,
      `\`${action.slice('fee:'.length)}\``,
      highest === null ? 'nothing' : `${formatMinor(BigInt(highest), currency)} ${currency}`,
      remark,
      source,
    ]),
  )

const writeRates = () =>
  table(
    ['example', 'published', 'remarks', 'source'],
    ofCommission.map(({ id, expectedAprPct, note, verification, source }) => [
      `\`${id}\``,
      `${expectedAprPct} %`,
      [note, verification.startsWith('exact') ? '' : verification].filter(Boolean).join('; '),
      source.split(';')[0]!,
    ]),
  )

/** What was looked for in stored public pages, also in vain. */
const searches = [
  '2026-11-23, late interest in numbers: Skatteetaten’s API documentation, Justisdepartementet, Kronofogden, Konsumentverket, KKV, forbrug.dk, German chambers and courts, the European Commission. Found: Skatteetaten’s, and one calculation by Kronofogden’s service.',
  '2026-11-25, Swedish late interest (Konsumentverket, Kronofogden). Found: one more calculation by Kronofogden’s service. Lawyers’ and agencies’ pages give the rule and no amount.',
  '2026-11-25, Finnish late interest (Suomen Pankki, ulosotto, oikeus.fi). Found: only private calculators; Vuokranantajat reckons 30/360. No authority gives an amount.',
  '2026-11-25, Danish late interest (Nationalbanken, forbrug.dk, courts). Found: only private calculators, which differ (360 days, or the calendar year).',
  '2026-11-25, German late interest (Basiszinssatz, IHK). Found: only private examples (1,000 € for 25 days at 5.12 % is 3.51 €, which the product gives too). No authority gives an amount.',
  '2026-11-25, Norwegian costs (Finanstilsynet, regulations). Found: the text of the regulation at an inkassosats of 700 kr., and summaries; no table of an authority for today’s rates.',
  '2026-11-25, Finnish costs (KKV, eduskunta). Found: section 10 a quoted by Parliament, and MAO:290/19.',
  '2026-11-25, Danish costs (forbrug.dk, Forbrugerombudsmanden). Found: both pages cited above.',
  '2026-11-25, German costs (BMJ, RVG). Found: commentaries without an authority’s example.',
  '2026-11-25, time for answers: FFFS 2002:23, Finansinspektionen, Prop. 3 L (2025–2026), Finansklagenemnda, KKV, Finanssivalvonta, Directive (EU) 2021/2167 art. 24, RDG § 13a, BDIU’s code, Danish good practice. Found: see the rules `ANSWER` of each country. Denmark and Finland: no time named.',
  '2026-11-25 and 26, decisions: Inkassonämnden, Datainspektionen and IMY, Finanstilsynet, Finansklagenemnda and Inkassoklagenemnda, KKV and the Market Court, AVI, Forbrugerombudsmanden, Sø- og Handelsretten, Højesteret, Lovavdelingen, LG Düsseldorf, BGH. Those whose outcome could be read are scenarios in `server/collection/decisions`.',
  '2026-11-28, statutes: the consolidated texts of Sweden, Norway, Germany and Iceland, and Finnish acts, in public copies of the official databases. Found: see the sources of each country. Not found: inkassoforskriften chapter 2, Danish acts, Finland’s act on collection as of 2022.',
  '2026-11-28, again: inkassoforskriften chapter 2 and FOR-2025-12-19-2709, the Norwegian act of 22 May 2026, laki velan vanhentumisesta, the Danish konkurslov and inkassolov, Seðlabanki’s late rates. Found: the note of forsinkelsesrenteloven with every compensation since 2014. The Norwegian texts as told by a public study. The Finnish act of 2003 and its change of 2014. Konkursloven § 128. Single months of Icelandic rates, no whole year.',
]
