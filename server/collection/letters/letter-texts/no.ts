/** The letters in Norwegian. */
import type { LetterWords } from './letter-words.ts'

export const no: LetterWords = {
  locale: 'nb-NO',
  date: 'Dato',
  reference: 'Deres referanse',
  caseNumber: 'Sak',
  idNumber: 'Fødsels-/org.nr',
  columns: ['Sak', 'Kreditor', 'Hovedstol', 'Renter', 'Omkostninger', 'Å betale'],
  total: 'Sum',
  nothing: 'Det er ingenting å betale.',
  payment: 'Slik betaler du',
  amount: 'Beløp',
  account: 'Konto',
  paymentReference: 'KID/referanse',
  due: 'Betal innen',
  page: 'Side',
  regards: 'Med vennlig hilsen',
  footer: 'Oppgi alltid referansen. Rentene er beregnet til og med {date}.',
  kinds: {
    statement: {
      title: 'Kontoutskrift',
      before: ['Dette er ifølge vårt register ubetalt per {date}.'],
      after: ['Er noe feil, skriv til oss og fortell hva og hvorfor. Vi undersøker det før noe annet skjer.'],
    },
    reminder: {
      title: 'Purring',
      before: ['Ifølge {client} er følgende fortsatt ubetalt. Det kan ha blitt oversett.'],
      after: [
        'Har du allerede betalt, trenger du ikke å gjøre noe. Bestrider du kravet, skriv til oss før fristen.',
      ],
    },
    demand: {
      title: 'Betalingsoppfordring',
      before: [
        '{client} har bedt oss inndrive følgende krav. Betal det innen {due}.',
        'Hvis du verken betaler eller kommer med innsigelser innen fristen, kan det tas rettslige skritt, som kan koste deg mer.',
      ],
      after: [
        'Bestrider du kravet, eller kan du ikke betale alt på én gang, skriv til oss før fristen: vi kan avtale en nedbetalingsplan.',
      ],
    },
    legal: {
      title: 'Varsel om rettslige skritt',
      before: [
        'Kravet vårt er ikke betalt. Betales ikke kravet til {client} innen {due}, forbereder vi en begjæring til forliksrådet eller namsmannen.',
        'Kostnadene ved det kan legges til kravet.',
      ],
      after: ['Du kan fortsatt komme med innsigelser eller be om en plan. Skriv til oss før fristen.'],
    },
    surveillance: {
      title: 'Gjelden din består',
      before: ['Følgende krav fra {client} er fortsatt ubetalt. Vi overvåker det, og rentene løper.'],
      after: ['Når du kan betale, helt eller delvis, skriv til oss. Vi kan avtale en nedbetalingsplan.'],
    },
  },
}
