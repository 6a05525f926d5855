/** What a letter written with a template says, without its layout: for screen readers. Pure. */
import type { LetterData } from '../letters/letter-data.ts'
import { scanTemplate } from './template-scanner.ts'

export function toTemplateText(source: string, data: LetterData): string {
  const values = readValues(data)
  return scanTemplate(source)
    .map((one) => {
      if (one.piece === 'text') return one.text.replaceAll(/[*_]|^[ \t]*=+ /gm, '')
      return one.piece === 'name' ? (values[one.name] ?? '') : ''
    })
    .join('')
    .replaceAll(/[ \t]*\n[ \t\n]*/g, '\n')
    .trim()
}

const pairs = (list: readonly (readonly [string, string])[]) =>
  list.map(([name, value]) => `${name}: ${value}`)
const lines = (list: readonly string[]) => list.join('\n')

function readValues(data: LetterData): Readonly<Record<string, string>> {
  const { template, title, sender, recipient, cases, totals, plan, costs, payment, labels } = data
  return {
    ...template?.values,
    title,
    debtor: recipient[0] ?? '',
    agency: sender,
    opening: lines(template?.opening ?? []),
    amounts: lines([
      ...cases.map(({ number, client, sum }) => `${number} ${client} ${sum}`),
      ...totals.map(({ label, amount }) => `${label}: ${amount}`),
    ]),
    plan: lines((plan?.rows ?? []).map((row) => row.join(' '))),
    costs: lines(pairs(costs ?? [])),
    payment: lines(pairs(payment)),
    notices: lines(template?.notices ?? []),
    ending: lines(template?.ending ?? []),
    closing: `${labels.regards}\n${sender}`,
  }
}
