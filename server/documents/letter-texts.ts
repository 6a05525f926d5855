/** The words of the letters in each language. `{date}`, `{client}` and `{due}` are filled in. */
import type { LetterKind } from '../../contract/documents.ts'
import type { Language } from '../../contract/languages.ts'

export interface LetterText {
  title: string
  before: string[]
  after: string[]
}

export interface LetterWords {
  /** For numbers and dates. */
  locale: string
  date: string
  reference: string
  caseNumber: string
  idNumber: string
  columns: [number: string, client: string, principal: string, interest: string, fee: string, sum: string]
  total: string
  nothing: string
  payment: string
  amount: string
  account: string
  paymentReference: string
  due: string
  page: string
  regards: string
  footer: string
  kinds: Record<LetterKind, LetterText>
}

export const letterWords: Record<Language, LetterWords> = {
  en: {
    locale: 'en-GB',
    date: 'Date',
    reference: 'Your reference',
    caseNumber: 'Case',
    idNumber: 'Identity number',
    columns: ['Case', 'Creditor', 'Principal', 'Interest', 'Costs', 'To pay'],
    total: 'Total',
    nothing: 'There is nothing to pay.',
    payment: 'How to pay',
    amount: 'Amount',
    account: 'Account',
    paymentReference: 'Payment reference',
    due: 'Pay by',
    page: 'Page',
    regards: 'Yours faithfully',
    footer: 'Always state the payment reference. Interest counts up to {date}.',
    kinds: {
      statement: {
        title: 'Statement of account',
        before: ['This is what our records show as unpaid on {date}.'],
        after: [
          'If anything here is wrong, write to us and say what and why. We then look into it before anything else happens.',
        ],
      },
      reminder: {
        title: 'Reminder',
        before: ['According to {client} the following is still unpaid. You may have overlooked it.'],
        after: [
          'If you have paid already you need do nothing. If you dispute the claim, write to us before the due date.',
        ],
      },
      demand: {
        title: 'Demand for payment',
        before: [
          '{client} has asked us to collect the following claim. Please pay it by {due}.',
          'If you neither pay nor object by then, legal action may be taken, which can cost you more.',
        ],
        after: [
          'If you dispute the claim or cannot pay all of it at once, write to us before the due date: we can agree on a plan.',
        ],
      },
      legal: {
        title: 'Notice before legal action',
        before: [
          'Our demand has not been met. Unless the claim of {client} is paid by {due}, we will prepare an application to the court or the enforcement authority.',
          'The costs of that may be added to the claim.',
        ],
        after: ['You still can object to the claim or ask for a plan. Write to us before the due date.'],
      },
      surveillance: {
        title: 'Your debt remains',
        before: [
          'The following claim of {client} is still unpaid. We keep watch over it and interest goes on.',
        ],
        after: ['Whenever you can pay, in whole or in part, write to us. We can agree on a plan.'],
      },
    },
  },
  sv: {
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
  },
  no: {
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
        after: [
          'Er noe feil, skriv til oss og fortell hva og hvorfor. Vi undersøker det før noe annet skjer.',
        ],
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
  },
  da: {
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
  },
  fi: {
    locale: 'fi-FI',
    date: 'Päiväys',
    reference: 'Viitteenne',
    caseNumber: 'Asia',
    idNumber: 'Henkilö-/Y-tunnus',
    columns: ['Asia', 'Velkoja', 'Pääoma', 'Korko', 'Kulut', 'Maksettava'],
    total: 'Yhteensä',
    nothing: 'Maksettavaa ei ole.',
    payment: 'Maksutiedot',
    amount: 'Määrä',
    account: 'Tilinumero',
    paymentReference: 'Viitenumero',
    due: 'Eräpäivä',
    page: 'Sivu',
    regards: 'Ystävällisin terveisin',
    footer: 'Käytä aina viitenumeroa. Korko on laskettu {date} asti.',
    kinds: {
      statement: {
        title: 'Tiliote',
        before: ['Rekisterimme mukaan seuraava on maksamatta {date}.'],
        after: [
          'Jos jokin on väärin, kirjoittakaa meille mitä ja miksi. Selvitämme asian ennen muita toimia.',
        ],
      },
      reminder: {
        title: 'Maksumuistutus',
        before: ['Velkojan {client} mukaan seuraava on yhä maksamatta. Se on voinut jäädä huomaamatta.'],
        after: [
          'Jos olette jo maksanut, teidän ei tarvitse tehdä mitään. Jos kiistätte saatavan, kirjoittakaa meille ennen eräpäivää.',
        ],
      },
      demand: {
        title: 'Maksuvaatimus',
        before: [
          '{client} on antanut seuraavan saatavan perittäväksemme. Maksakaa se viimeistään {due}.',
          'Jos ette maksa ettekä esitä huomautusta siihen mennessä, asiassa voidaan ryhtyä oikeudellisiin toimiin, joista voi aiheutua lisäkuluja.',
        ],
        after: [
          'Jos kiistätte saatavan tai ette voi maksaa kaikkea kerralla, kirjoittakaa meille ennen eräpäivää: voimme sopia maksusuunnitelmasta.',
        ],
      },
      legal: {
        title: 'Ilmoitus oikeudellisista toimista',
        before: [
          'Maksuvaatimustamme ei ole noudatettu. Ellei velkojan {client} saatavaa makseta viimeistään {due}, valmistelemme haastehakemuksen.',
          'Siitä aiheutuvat kulut voidaan lisätä saatavaan.',
        ],
        after: [
          'Voitte yhä kiistää saatavan tai pyytää maksusuunnitelmaa. Kirjoittakaa meille ennen eräpäivää.',
        ],
      },
      surveillance: {
        title: 'Velkanne on yhä maksamatta',
        before: ['Seuraava velkojan {client} saatava on yhä maksamatta. Valvomme sitä, ja korko juoksee.'],
        after: [
          'Kun voitte maksaa kokonaan tai osittain, kirjoittakaa meille. Voimme sopia maksusuunnitelmasta.',
        ],
      },
    },
  },
  de: {
    locale: 'de-DE',
    date: 'Datum',
    reference: 'Ihr Zeichen',
    caseNumber: 'Akte',
    idNumber: 'Kennnummer',
    columns: ['Akte', 'Gläubiger', 'Hauptforderung', 'Zinsen', 'Kosten', 'Zu zahlen'],
    total: 'Summe',
    nothing: 'Es ist nichts zu zahlen.',
    payment: 'So zahlen Sie',
    amount: 'Betrag',
    account: 'Konto',
    paymentReference: 'Verwendungszweck',
    due: 'Zahlbar bis',
    page: 'Seite',
    regards: 'Mit freundlichen Grüßen',
    footer: 'Geben Sie immer den Verwendungszweck an. Die Zinsen sind bis zum {date} berechnet.',
    kinds: {
      statement: {
        title: 'Forderungsaufstellung',
        before: ['Nach unseren Unterlagen ist am {date} offen:'],
        after: [
          'Stimmt etwas nicht, schreiben Sie uns bitte, was und warum. Wir prüfen es, bevor etwas anderes geschieht.',
        ],
      },
      reminder: {
        title: 'Zahlungserinnerung',
        before: ['Nach Angabe von {client} ist Folgendes noch offen. Vielleicht haben Sie es übersehen.'],
        after: [
          'Haben Sie bereits gezahlt, brauchen Sie nichts zu tun. Bestreiten Sie die Forderung, schreiben Sie uns bitte vor der Frist.',
        ],
      },
      demand: {
        title: 'Zahlungsaufforderung',
        before: [
          '{client} hat uns mit dem Einzug der folgenden Forderung beauftragt. Bitte zahlen Sie bis zum {due}.',
          'Zahlen Sie bis dahin nicht und erheben Sie keine Einwände, können gerichtliche Schritte folgen, die weitere Kosten verursachen.',
        ],
        after: [
          'Bestreiten Sie die Forderung oder können Sie nicht alles auf einmal zahlen, schreiben Sie uns bitte vor der Frist: Wir können Raten vereinbaren.',
        ],
      },
      legal: {
        title: 'Ankündigung gerichtlicher Schritte',
        before: [
          'Unsere Zahlungsaufforderung blieb ohne Erfolg. Wird die Forderung von {client} nicht bis zum {due} gezahlt, bereiten wir einen Mahnantrag vor.',
          'Die Kosten dafür können zur Forderung hinzukommen.',
        ],
        after: [
          'Sie können weiterhin Einwände erheben oder um Raten bitten. Schreiben Sie uns bitte vor der Frist.',
        ],
      },
      surveillance: {
        title: 'Ihre Schuld besteht weiter',
        before: [
          'Die folgende Forderung von {client} ist noch offen. Wir überwachen sie, und die Zinsen laufen weiter.',
        ],
        after: [
          'Sobald Sie ganz oder teilweise zahlen können, schreiben Sie uns bitte. Wir können Raten vereinbaren.',
        ],
      },
    },
  },
}
