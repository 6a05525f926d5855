/** Titles of reports and columns, and words for codes, in each language. */
import type { Language, Translations } from '../../../contract/platform/languages.ts'
import type { ReportName } from '../../../contract/insight/reports.ts'
import { caseStatus } from '../../metadata/lookups/enumerations/cases.ts'
import { descriptionIn, type Enumeration } from '../../metadata/lookups/enumerations/enumeration.ts'
import { paymentPlanType } from '../../metadata/lookups/enumerations/payment-plans.ts'

const texts = (en: string, sv: string, no: string, da: string, fi: string, de: string): Translations => ({
  en,
  sv,
  no,
  da,
  fi,
  de,
})

const titles: Readonly<Record<ReportName, Translations>> = {
  portfolio: texts('Portfolio', 'Portfölj', 'Portefølje', 'Portefølje', 'Salkku', 'Portfolio'),
  aging: texts(
    'Age of claims',
    'Fordringarnas ålder',
    'Kravenes alder',
    'Kravenes alder',
    'Saatavien ikä',
    'Alter der Forderungen',
  ),
  collected: texts('Collected', 'Inbetalt', 'Innbetalt', 'Indbetalt', 'Peritty', 'Eingezogen'),
  trust: texts(
    'Client money',
    'Klientmedel',
    'Klientmidler',
    'Klientmidler',
    'Asiakasvarat',
    'Mandantengelder',
  ),
  'trust-balance': texts(
    'Client money against the bank account',
    'Klientmedel mot bankkontot',
    'Klientmidler mot bankkontoen',
    'Klientmidler mod bankkontoen',
    'Asiakasvarat ja pankkitili',
    'Mandantengelder und Bankkonto',
  ),
  plans: texts(
    'Payment plans',
    'Avbetalningsplaner',
    'Nedbetalingsplaner',
    'Betalingsaftaler',
    'Maksusuunnitelmat',
    'Ratenpläne',
  ),
}

const columns: Readonly<Record<string, Translations>> = {
  client: texts('Client', 'Klient', 'Klient', 'Klient', 'Asiakas', 'Mandant'),
  currencyCode: texts('Currency', 'Valuta', 'Valuta', 'Valuta', 'Valuutta', 'Währung'),
  status: texts('Status', 'Status', 'Status', 'Status', 'Tila', 'Status'),
  cases: texts('Cases', 'Ärenden', 'Saker', 'Sager', 'Tapaukset', 'Fälle'),
  original: texts('Registered', 'Registrerat', 'Registrert', 'Registreret', 'Kirjattu', 'Erfasst'),
  paid: texts('Paid', 'Betalt', 'Betalt', 'Betalt', 'Maksettu', 'Bezahlt'),
  writtenOff: texts('Written off', 'Avskrivet', 'Avskrevet', 'Afskrevet', 'Alaskirjattu', 'Abgeschrieben'),
  principal: texts('Principal', 'Kapital', 'Hovedstol', 'Hovedstol', 'Pääoma', 'Hauptforderung'),
  interest: texts('Interest', 'Ränta', 'Renter', 'Renter', 'Korko', 'Zinsen'),
  fee: texts('Costs', 'Kostnader', 'Kostnader', 'Omkostninger', 'Kulut', 'Kosten'),
  sum: texts('Sum', 'Summa', 'Sum', 'Sum', 'Summa', 'Summe'),
  notDue: texts('Not due', 'Ej förfallet', 'Ikke forfalt', 'Ikke forfaldent', 'Erääntymätön', 'Nicht fällig'),
  days30: texts('1–30 days', '1–30 dagar', '1–30 dager', '1–30 dage', '1–30 päivää', '1–30 Tage'),
  days60: texts('31–60 days', '31–60 dagar', '31–60 dager', '31–60 dage', '31–60 päivää', '31–60 Tage'),
  days90: texts('61–90 days', '61–90 dagar', '61–90 dager', '61–90 dage', '61–90 päivää', '61–90 Tage'),
  days180: texts(
    '91–180 days',
    '91–180 dagar',
    '91–180 dager',
    '91–180 dage',
    '91–180 päivää',
    '91–180 Tage',
  ),
  days365: texts(
    '181–365 days',
    '181–365 dagar',
    '181–365 dager',
    '181–365 dage',
    '181–365 päivää',
    '181–365 Tage',
  ),
  older: texts('Over a year', 'Över ett år', 'Over ett år', 'Over et år', 'Yli vuosi', 'Über ein Jahr'),
  noDueDate: texts(
    'No due date',
    'Utan förfallodag',
    'Uten forfallsdato',
    'Uden forfaldsdato',
    'Ei eräpäivää',
    'Ohne Fälligkeit',
  ),
  month: texts('Month', 'Månad', 'Måned', 'Måned', 'Kuukausi', 'Monat'),
  thirdParty: texts(
    'Paid to the client',
    'Betalt till klienten',
    'Betalt til klienten',
    'Betalt til klienten',
    'Maksettu asiakkaalle',
    'An Mandanten gezahlt',
  ),
  received: texts('Received', 'Mottaget', 'Mottatt', 'Modtaget', 'Vastaanotettu', 'Eingegangen'),
  agencysShare: texts(
    'The agency’s own',
    'Inkassobolagets eget',
    'Inkassoselskapets eget',
    'Inkassofirmaets eget',
    'Perintätoimiston oma',
    'Eigenes der Agentur',
  ),
  clientsShare: texts(
    'The client’s',
    'Klientens',
    'Klientens',
    'Klientens',
    'Asiakkaan osuus',
    'Des Mandanten',
  ),
  paidOut: texts('Passed on', 'Utbetalt', 'Utbetalt', 'Udbetalt', 'Tilitetty', 'Ausgezahlt'),
  held: texts(
    'Held for clients',
    'Innehas för klienter',
    'Holdes for klienter',
    'Holdes for klienter',
    'Hallussa asiakkaille',
    'Für Mandanten gehalten',
  ),
  bank: texts('Bank account', 'Bankkonto', 'Bankkonto', 'Bankkonto', 'Pankkitili', 'Bankkonto'),
  credit: texts(
    'Debtors’ credit',
    'Gäldenärers tillgodo',
    'Skyldneres tilgode',
    'Skyldneres tilgodehavende',
    'Velallisten hyvitys',
    'Guthaben der Schuldner',
  ),
  suspense: texts(
    'In suspense',
    'Oidentifierat',
    'Uidentifisert',
    'Uidentificeret',
    'Kohdistamatta',
    'Ungeklärt',
  ),
  difference: texts('Difference', 'Differens', 'Differanse', 'Difference', 'Erotus', 'Differenz'),
  planType: texts('Type', 'Typ', 'Type', 'Type', 'Tyyppi', 'Art'),
  proposed: texts('Proposed', 'Föreslagna', 'Foreslått', 'Foreslåede', 'Ehdotettu', 'Vorgeschlagen'),
  active: texts('Active', 'Aktiva', 'Aktive', 'Aktive', 'Voimassa', 'Aktiv'),
  completed: texts('Completed', 'Fullföljda', 'Fullførte', 'Gennemførte', 'Päättynyt', 'Erfüllt'),
  breached: texts('Breached', 'Brutna', 'Misligholdte', 'Misligholdte', 'Rikottu', 'Gebrochen'),
  cancelled: texts('Cancelled', 'Avbrutna', 'Avbrutte', 'Annullerede', 'Peruttu', 'Aufgehoben'),
  due: texts('Fallen due', 'Förfallet', 'Forfalt', 'Forfaldet', 'Erääntynyt', 'Fällig geworden'),
  missed: texts('Missed', 'Missade', 'Uteblitte', 'Udeblevne', 'Maksamatta jääneet', 'Versäumt'),
  paidPercent: texts('Paid, %', 'Betalt, %', 'Betalt, %', 'Betalt, %', 'Maksettu, %', 'Bezahlt, %'),
  page: texts('Page', 'Sida', 'Side', 'Side', 'Sivu', 'Seite'),
  total: texts('Total', 'Totalt', 'Totalt', 'I alt', 'Yhteensä', 'Gesamt'),
}

export const reportTitle = (name: ReportName, language: Language): string => titles[name][language]
export const columnTitle = (code: string, language: Language): string => columns[code]![language]

/** The locale for numbers and dates. */
export const localeOf = (language: Language): string =>
  ({ en: 'en-GB', sv: 'sv-SE', no: 'nb-NO', da: 'da-DK', fi: 'fi-FI', de: 'de-DE' })[language]

const wordsOf: Readonly<Record<string, Enumeration>> = { status: caseStatus, planType: paymentPlanType }

/** A row's text for reading: a status and a type by name, a month (`2026-06`) as June 2026. */
export function sayText(code: string, value: string, language: Language): string {
  if (code === 'month')
    return new Intl.DateTimeFormat(localeOf(language), {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${value}-01`))
  const words = wordsOf[code]?.[value]
  return words ? descriptionIn(words, language) : value
}
