/** An invented letter, to try a template on, and the shipped text as a template. Pure. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { texts } from '../../../core/text/texts.ts'
import { composeLetter } from '../letters/compose-letter.ts'
import type { LetterData } from '../letters/letter-data.ts'
import type { LetterPlan } from '../letters/plan-letter.ts'

const recipients: Record<Language, string[]> = {
  en: ['Alex Sample', '1 Sample Street', '111 11 Sampletown'],
  sv: ['Alex Exempel', 'Exempelgatan 1', '111 11 Exempelstad'],
  no: ['Alex Eksempel', 'Eksempelveien 1', '1111 Eksempelby'],
  da: ['Alex Eksempel', 'Eksempelvej 1', '1111 Eksempelby'],
  fi: ['Alex Esimerkki', 'Esimerkkikatu 1', '11111 Esimerkkilä'],
  de: ['Alex Beispiel', 'Beispielweg 1', '11111 Beispielstadt'],
}
export const sampleClients: Record<Language, string> = {
  en: 'Sample Shop',
  sv: 'Exempelbutiken',
  no: 'Eksempelbutikken',
  da: 'Eksempelbutikken',
  fi: 'Esimerkkikauppa',
  de: 'Beispielhandel',
}
const currencies: Partial<Record<Language, string>> = { sv: 'SEK', no: 'NOK', da: 'DKK' }

export interface Sample {
  kind: TemplateKind
  language: Language
  sender: string
  bankAccountNo: string | null
  clientName: string
  /** YYYY-MM-DD. */
  today: string
}

/** With a claim of 1,200, interest and a fee. Amounts in minor units. */
export function composeSample({
  kind,
  language,
  sender,
  bankAccountNo,
  clientName,
  today,
}: Sample): LetterData {
  const currencyCode = currencies[language] ?? 'EUR'
  const hasDeadline = kind !== 'statement' && kind !== 'surveillance' && kind !== 'plan'
  return composeLetter({
    kind,
    language,
    sender,
    recipient: recipients[language],
    idNumber: null,
    date: today,
    dueDate: hasDeadline ? addDays(today, 14) : null,
    paymentReference: '1000017',
    bankAccountNo: bankAccountNo ?? '123-4567',
    cases: [
      {
        caseNumber: '1000017',
        clientName,
        clientReferenceNumber: 'A-2041',
        currencyCode,
        principal: 120_000,
        interest: 3_450,
        fee: 18_000,
        costs: [{ type: 'collectionDemand', minor: 18_000 }],
      },
    ],
    template: '',
    ...(kind === 'plan' && { plan: makePlan(currencyCode, today) }),
  })
}

const makePlan = (currencyCode: string, today: string): LetterPlan => ({
  planGuid: '',
  active: 1,
  currencyCode,
  annualPercentage: null,
  cases: [],
  rows: [1, 2, 3].map((paymentNo) => ({
    paymentNo,
    paymentType: 1,
    invoiceDate: today,
    dueDate: addDays(today, 30 * paymentNo),
    paidDate: null,
    missedDate: null,
    instalment: 40_000n,
    interest: 1_150n,
    fee: 6_000n,
    amount: 47_150n,
    paid: 0n,
  })),
})

/** What letters of the kind say without a template. */
export function writeShipped(kind: TemplateKind, language: Language): string {
  const words = texts[language].letter
  // Whether a plan is proposed or agreed is known when the letter is written.
  const before = kind === 'plan' ? '#opening' : toMarkup(words[`${kind}.before`])
  const parts = ['#amounts', ...(kind === 'plan' ? ['#plan'] : []), '#costs', '#payment', '#notices']
  return `= #title\n\n${before}\n\n${parts.join('\n')}\n\n${toMarkup(words[`${kind}.after`])}\n\n#closing\n`
}

/** A line is a paragraph; a semicolon ends a name that letters follow. */
const toMarkup = (text: string): string =>
  text
    .replaceAll(/[\\*_#$`@<>]/g, (sign) => `\\${sign}`)
    .replaceAll(/\{(\w+)\}(?=([\p{L}\p{N}_([-]|\.\p{L})?)/gu, (_, name: string, next?: string) =>
      next === undefined ? `#${name}` : `#${name};`,
    )
    .split('\n')
    .join('\n\n')
