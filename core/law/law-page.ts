/** Writes the law packs as a document that a lawyer can read and correct: docs/LAW.md. Pure. */
import { table, writeExamples } from './law-examples.ts'
import type { LawPack, PackFee, PackRule, RuleSubject } from './pack.ts'

const headings: [string, readonly RuleSubject[]][] = [
  ['When', ['waiting', 'spacing', 'deadline']],
  ['How often, and by what agreement', ['count', 'agreement']],
  ['How much', ['ceiling', 'total', 'scale', 'offset', 'others']],
  ['Of whom', ['circumstance']],
  ['Claims demanded together', ['bundling']],
  ['Interest', ['interestStart', 'dayCount', 'margin', 'rateChange']],
  ['Limitation', ['limitation']],
  ['Contact', ['contact']],
  ['Objections and hardship', ['answer', 'assessment']],
]

/** The whole document. */
export const writeLaw = (packs: readonly LawPack[]): string => `# Law

What Fordra lets an agency do, country by country. This page is written from the law packs in \`data/law/\`; change those, and run \`FORDRA_UPDATE=1 node bin/test.mjs core/law\`.
[Law](domain/law.md) says how the rules are applied. Nothing here is legal advice.

- **verified**: somebody read the text of the source on the day that stands beside it.
- **unverified**: nobody has read the source; the rule comes from a second-hand account. It is applied like a verified rule.
- **proposed**: not law yet. It is not applied.

${packs
  .filter(({ rules }) => rules.length > 0)
  .map(writeCountry)
  .join('\n\n')}

${writeExamples()}
`

function writeCountry(pack: LawPack): string {
  const sections = headings.flatMap(([heading, subjects]) => {
    const rules = pack.rules.filter(({ subject }) => subjects.includes(subject))
    return rules.length === 0 ? [] : [`### ${pack.name}: ${heading}\n\n${writeRules(pack, rules)}`]
  })
  const fees = pack.fees.length === 0 ? [] : [`### ${pack.name}: amounts\n\n${writeFees(pack)}`]
  return [`## ${pack.name}\n\nAs of ${pack.asOf}.`, ...sections, ...fees, writeSources(pack)].join('\n\n')
}

const writeRules = (pack: LawPack, rules: readonly PackRule[]) =>
  table(
    ['rule', 'says', 'from', 'to', 'source', 'status'],
    rules.map((rule) => [
      `\`${rule.code}\``,
      [rule.text, describeNumbers(rule)].filter(Boolean).join(' '),
      rule.from ?? '',
      rule.to ?? '',
      cite(pack, rule.source, rule.paragraph),
      rule.status + (rule.override ? ', may be overridden' : ''),
    ]),
  )

/** The numbers of a rule that its sentence may leave out. */
function describeNumbers(rule: PackRule): string {
  switch (rule.subject) {
    case 'waiting':
      return `(${rule.days} days after \`${rule.after}\`${rule.validMonths ? `, for ${rule.validMonths} months from the letter` : ''})`
    case 'spacing':
    case 'deadline':
      return `(${rule.days} days)`
    case 'answer':
      return `(${rule.matters.join(', ')}${rule.days === null ? '' : `: ${rule.days} days`})`
    case 'count':
      return rule.fewer
        ? `(${rule.most}; with a title or a principal up to ${rule.fewer.upTo}: ${rule.fewer.most})`
        : `(${rule.most})`
    case 'scale':
      return [`(${rule.factor}`, rule.later && `; later ${rule.later.factor}`, ')'].join('')
    case 'interestStart':
      if (rule.months !== undefined) return `(months: ${rule.months})`
      return rule.days === null ? '' : `(${rule.days} days)`
    case 'margin':
      return `(+${rule.points})`
    case 'dayCount':
      return `(${rule.basis})`
    case 'contact':
      return `(weekdays ${rule.weekdays}, Saturdays ${rule.saturdays})`
    case 'bundling':
      return `(fee by the ${rule.principal} principal)`
    case 'limitation':
      return Object.entries(rule.anew).length === 0
        ? ''
        : `Anew: ${Object.entries(rule.anew)
            .map(([event, years]) => `${event} ${years}`)
            .join(', ')}${rule.anewInWriting ? `; acknowledged in writing ${rule.anewInWriting}` : ''}.`
    default:
      return ''
  }
}

function cite({ sources }: LawPack, key: string, paragraph: string): string {
  const { title, url } = sources[key]!
  const text = paragraph === '' ? title : `${title}, ${paragraph}`
  return url === null ? text : `[${text}](${url})`
}

const range = ({ above, upTo }: PackFee) =>
  above === null && upTo === null
    ? ''
    : `${above === null ? '' : `above ${above} `}${upTo === null ? '' : `up to ${upTo}`}`.trim()

const writeFees = (pack: LawPack) =>
  table(
    ['fee', 'debtor', 'principal', 'amount', 'second', 'from', 'to', 'remarks', 'source', 'status'],
    pack.fees.map((fee) => [
      `\`${fee.type}\``,
      fee.debtor,
      range(fee),
      fee.amount === null ? 'unknown' : `${fee.amount} ${fee.currency}`,
      fee.second ?? '',
      fee.from ?? '',
      fee.to ?? '',
      [
        fee.stage,
        fee.perStarted && `for each ${fee.perStarted} begun`,
        fee.creditorDeductsVat === false && 'the creditor cannot deduct VAT',
        fee.condition,
      ]
        .filter(Boolean)
        .join('; '),
      cite(pack, fee.source, ''),
      fee.unverified ? 'unverified' : 'verified',
    ]),
  )

const writeSources = ({ name, sources }: LawPack) =>
  `### ${name}: sources\n\n${table(
    ['source', 'text read on'],
    Object.values(sources).map(({ title, url, seen }) => [
      url === null ? title : `[${title}](${url})`,
      seen ?? 'not read',
    ]),
  )}`
