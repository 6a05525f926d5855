/** The letters in Swedish. */
import type { LetterWords } from './letter-words.ts'

export const sv: LetterWords = {
  locale: 'sv-SE',
  date: 'Datum',
  reference: 'Er referens',
  caseNumber: 'Ärende',
  idNumber: 'Person-/org.nr',
  columns: ['Ärende', 'Borgenär', 'Kapital', 'Ränta', 'Kostnader', 'Att betala'],
  total: 'Summa',
  nothing: 'Det finns inget att betala.',
  payment: 'Så betalar du',
  amount: 'Belopp',
  account: 'Konto',
  paymentReference: 'OCR/referens',
  due: 'Betala senast',
  page: 'Sida',
  regards: 'Med vänlig hälsning',
  footer: 'Ange alltid referensen. Räntan är beräknad till och med {date}.',
  kinds: {
    statement: {
      title: 'Kontoutdrag',
      before: ['Detta är enligt vårt register obetalt den {date}.'],
      after: [
        'Är något fel, skriv till oss och berätta vad och varför. Vi utreder det innan något annat händer.',
      ],
    },
    reminder: {
      title: 'Påminnelse',
      before: ['Enligt {client} är följande fortfarande obetalt. Det kan ha blivit förbisett.'],
      after: [
        'Har du redan betalat behöver du inte göra något. Bestrider du kravet, skriv till oss före förfallodagen.',
      ],
    },
    demand: {
      title: 'Inkassokrav',
      before: [
        '{client} har gett oss i uppdrag att driva in följande fordran. Betala den senast {due}.',
        'Om du varken betalar eller invänder inom den tiden kan rättsliga åtgärder vidtas, vilket kan medföra ytterligare kostnader.',
      ],
      after: [
        'Bestrider du fordran eller kan du inte betala allt på en gång, skriv till oss före förfallodagen: vi kan komma överens om en avbetalningsplan.',
      ],
    },
    legal: {
      title: 'Meddelande före rättslig åtgärd',
      before: [
        'Vårt inkassokrav har inte betalats. Betalas inte fordran till {client} senast {due} förbereder vi en ansökan om betalningsföreläggande.',
        'Kostnaderna för det kan läggas till fordran.',
      ],
      after: [
        'Du kan fortfarande invända mot fordran eller begära en avbetalningsplan. Skriv till oss före förfallodagen.',
      ],
    },
    surveillance: {
      title: 'Din skuld kvarstår',
      before: [
        'Följande fordran till {client} är fortfarande obetald. Vi bevakar den, och räntan löper vidare.',
      ],
      after: [
        'När du kan betala, helt eller delvis, skriv till oss. Vi kan komma överens om en avbetalningsplan.',
      ],
    },
  },
}
