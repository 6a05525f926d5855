/** The letters in Danish. */
import type { LetterWords } from './letter-words.ts'

export const da: LetterWords = {
  locale: 'da-DK',
  date: 'Dato',
  reference: 'Deres reference',
  caseNumber: 'Sag',
  idNumber: 'CPR-/CVR-nr.',
  columns: ['Sag', 'Kreditor', 'Hovedstol', 'Renter', 'Omkostninger', 'At betale'],
  total: 'I alt',
  nothing: 'Der er intet at betale.',
  payment: 'Sådan betaler du',
  amount: 'Beløb',
  account: 'Konto',
  paymentReference: 'Betalings-id/reference',
  due: 'Betal senest',
  page: 'Side',
  regards: 'Med venlig hilsen',
  footer: 'Oplys altid referencen. Renterne er beregnet til og med {date}.',
  kinds: {
    statement: {
      title: 'Kontoudtog',
      before: ['Dette er ifølge vores register ubetalt den {date}.'],
      after: [
        'Er noget forkert, så skriv til os og fortæl hvad og hvorfor. Vi undersøger det, før andet sker.',
      ],
    },
    reminder: {
      title: 'Rykker',
      before: ['Ifølge {client} er følgende fortsat ubetalt. Det kan være blevet overset.'],
      after: [
        'Har du allerede betalt, skal du ikke gøre noget. Bestrider du kravet, så skriv til os før fristen.',
      ],
    },
    demand: {
      title: 'Inkassokrav',
      before: [
        '{client} har bedt os inddrive følgende krav. Betal det senest {due}.',
        'Hvis du hverken betaler eller gør indsigelse inden da, kan der tages retslige skridt, som kan koste dig mere.',
      ],
      after: [
        'Bestrider du kravet, eller kan du ikke betale det hele på én gang, så skriv til os før fristen: vi kan aftale en afdragsordning.',
      ],
    },
    legal: {
      title: 'Varsel om retslige skridt',
      before: [
        'Vores krav er ikke betalt. Betales kravet fra {client} ikke senest {due}, forbereder vi en sag ved fogedretten.',
        'Omkostningerne ved det kan lægges til kravet.',
      ],
      after: ['Du kan stadig gøre indsigelse eller bede om en afdragsordning. Skriv til os før fristen.'],
    },
    surveillance: {
      title: 'Din gæld består',
      before: ['Følgende krav fra {client} er fortsat ubetalt. Vi overvåger det, og renterne løber.'],
      after: ['Når du kan betale, helt eller delvist, så skriv til os. Vi kan aftale en afdragsordning.'],
    },
  },
}
