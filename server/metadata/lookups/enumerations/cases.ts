/** The life of a case in words: contract section 9. The keys are those of the table of the case's life in core. */
import { caseStatuses } from '../../../../core/cases/case-life.ts'
import type { Enumeration } from './enumeration.ts'

export const service: Enumeration = {
  PRECOLLECTION: [
    'Pre-collection',
    'Påminnelse',
    'Purring',
    'Rykker',
    'Muistutus',
    'Vorgerichtliche Mahnung',
  ],
  COLLECTION: ['Collection', 'Inkasso', 'Inkasso', 'Inkasso', 'Perintä', 'Inkasso'],
  SURVEILLANCE: [
    'Surveillance',
    'Efterbevakning',
    'Langtidsovervåking',
    'Overvågning',
    'Jälkiperintä',
    'Langzeitüberwachung',
  ],
}

export const caseStatus: Enumeration = {
  NEW: ['New', 'Ny', 'Ny', 'Ny', 'Uusi', 'Neu'],
  PRECOLLECTION: [
    'Pre-collection',
    'Påminnelse',
    'Purring',
    'Rykker',
    'Muistutus',
    'Vorgerichtliche Mahnung',
  ],
  AMICABLE: [
    'Amicable collection',
    'Frivillig inkasso',
    'Utenrettslig inkasso',
    'Udenretlig inkasso',
    'Vapaaehtoinen perintä',
    'Außergerichtliches Inkasso',
  ],
  LEGAL: [
    'Legal collection',
    'Rättslig inkasso',
    'Rettslig inkasso',
    'Retslig inkasso',
    'Oikeudellinen perintä',
    'Gerichtliches Verfahren',
  ],
  ENFORCEMENT: [
    'Enforcement',
    'Verkställighet',
    'Tvangsfullbyrdelse',
    'Tvangsfuldbyrdelse',
    'Ulosotto',
    'Zwangsvollstreckung',
  ],
  SURVEILLANCE: [
    'Surveillance',
    'Efterbevakning',
    'Langtidsovervåking',
    'Overvågning',
    'Jälkiperintä',
    'Langzeitüberwachung',
  ],
  CLOSED: ['Closed', 'Avslutat', 'Avsluttet', 'Afsluttet', 'Päätetty', 'Abgeschlossen'],
}

export const caseSubStatus: Enumeration = {
  REGISTERED: ['Registered', 'Registrerat', 'Registrert', 'Registreret', 'Kirjattu', 'Erfasst'],
  VALIDATING: [
    'Being checked',
    'Kontrolleras',
    'Kontrolleres',
    'Kontrolleres',
    'Tarkistettavana',
    'In Prüfung',
  ],
  AWAITING_CLIENT: [
    'Awaiting the client',
    'Väntar på klienten',
    'Venter på klienten',
    'Afventer klienten',
    'Odottaa asiakasta',
    'Wartet auf den Auftraggeber',
  ],
  REMINDER_SENT: [
    'Reminder sent',
    'Påminnelse skickad',
    'Purring sendt',
    'Rykker sendt',
    'Muistutus lähetetty',
    'Mahnung versandt',
  ],
  DEMAND_SENT: [
    'Demand sent',
    'Krav skickat',
    'Krav sendt',
    'Krav sendt',
    'Maksuvaatimus lähetetty',
    'Zahlungsaufforderung versandt',
  ],
  DEMAND_EXPIRED: [
    'Demand expired',
    'Kravets frist har gått ut',
    'Kravets frist er utløpt',
    'Kravets frist er udløbet',
    'Maksuvaatimuksen määräaika päättynyt',
    'Frist der Zahlungsaufforderung abgelaufen',
  ],
  CONTACT: ['In contact', 'Kontakt pågår', 'I kontakt', 'I kontakt', 'Yhteydenpito käynnissä', 'In Kontakt'],
  PROMISE: [
    'Promise to pay',
    'Betalningslöfte',
    'Betalingsløfte',
    'Betalingsløfte',
    'Maksulupaus',
    'Zahlungszusage',
  ],
  PAYMENT_PLAN: [
    'Payment plan',
    'Avbetalningsplan',
    'Nedbetalingsplan',
    'Afdragsordning',
    'Maksusuunnitelma',
    'Ratenplan',
  ],
  SETTLEMENT_OFFER: [
    'Settlement offer',
    'Erbjudande om uppgörelse',
    'Tilbud om minnelig ordning',
    'Forligstilbud',
    'Sovintotarjous',
    'Vergleichsangebot',
  ],
  PAYMENT_ORDER_APPLIED: [
    'Payment order applied for',
    'Betalningsföreläggande ansökt',
    'Forliksklage sendt',
    'Betalingspåkrav indgivet',
    'Maksamismääräystä haettu',
    'Mahnbescheid beantragt',
  ],
  SERVED: ['Served', 'Delgiven', 'Forkynt', 'Forkyndt', 'Annettu tiedoksi', 'Zugestellt'],
  CONTESTED: ['Contested', 'Bestritt', 'Bestridt', 'Bestridt', 'Riitautettu', 'Widersprochen'],
  COURT: ['In court', 'I domstol', 'I retten', 'I retten', 'Tuomioistuimessa', 'Vor Gericht'],
  TITLE_OBTAINED: [
    'Title obtained',
    'Exekutionstitel finns',
    'Tvangsgrunnlag foreligger',
    'Fundament foreligger',
    'Ulosottoperuste saatu',
    'Titel erwirkt',
  ],
  APPLIED: [
    'Enforcement applied for',
    'Verkställighet ansökt',
    'Tvangsfullbyrdelse begjært',
    'Udlæg begæret',
    'Ulosottoa haettu',
    'Vollstreckung beantragt',
  ],
  ATTACHMENT: ['Attachment', 'Utmätning', 'Utlegg', 'Udlæg', 'Ulosmittaus', 'Pfändung'],
  NO_ASSETS: [
    'No assets',
    'Utmätningsbara tillgångar saknas',
    'Intet til utlegg',
    'Ingen aktiver',
    'Ei ulosmitattavaa',
    'Keine pfändbare Habe',
  ],
  DORMANT: ['Dormant', 'Vilande', 'Hvilende', 'Hvilende', 'Lepotilassa', 'Ruhend'],
  REACTIVATION_CHECK: [
    'Check for reactivation',
    'Prövas för återupptagande',
    'Vurderes gjenopptatt',
    'Vurderes genoptaget',
    'Uudelleenaktivoinnin tarkistus',
    'Prüfung auf Wiederaufnahme',
  ],
  PAID: ['Paid', 'Betalt', 'Betalt', 'Betalt', 'Maksettu', 'Bezahlt'],
  SETTLED: ['Settled', 'Uppgjort', 'Gjort opp', 'Forligt', 'Sovittu', 'Verglichen'],
  RECALLED: ['Recalled', 'Återkallat', 'Tilbakekalt', 'Tilbagekaldt', 'Peruutettu', 'Zurückgerufen'],
  WRITTEN_OFF: [
    'Written off',
    'Avskrivet',
    'Avskrevet',
    'Afskrevet',
    'Poistettu luottotappiona',
    'Ausgebucht',
  ],
  INVALID: ['Invalid', 'Ogiltigt', 'Ugyldig', 'Ugyldig', 'Mitätön', 'Ungültig'],
}

/** Which of them belong to which status. */
/** The sub-statuses of each status, from the machine itself. */
export const subStatusesOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(caseStatuses).map(([status, { subStatuses }]) => [status, subStatuses]),
)

export const debtorRole: Enumeration = {
  MAIN_DEBTOR: [
    'Main debtor',
    'Huvudgäldenär',
    'Hovedskyldner',
    'Hovedskyldner',
    'Päävelallinen',
    'Hauptschuldner',
  ],
  CO_DEBTOR: ['Co-debtor', 'Medgäldenär', 'Medskyldner', 'Medskyldner', 'Yhteisvelallinen', 'Mitschuldner'],
  GUARANTOR: ['Guarantor', 'Borgensman', 'Kausjonist', 'Kautionist', 'Takaaja', 'Bürge'],
  ESTATE: ['Estate', 'Dödsbo', 'Dødsbo', 'Dødsbo', 'Kuolinpesä', 'Nachlass'],
  GUARDIAN: ['Guardian', 'Förmyndare', 'Verge', 'Værge', 'Edunvalvoja', 'Betreuer'],
  REPRESENTATIVE: [
    'Representative',
    'Ombud',
    'Fullmektig',
    'Partsrepræsentant',
    'Edustaja',
    'Bevollmächtigter',
  ],
  PAYER: ['Payer', 'Betalare', 'Betaler', 'Betaler', 'Maksaja', 'Zahler'],
}

/** Whom a statutory fee may be charged. */
export const debtorKind: Enumeration = {
  CONSUMER: ['Consumers', 'Konsumenter', 'Forbrukere', 'Forbrugere', 'Kuluttajat', 'Verbraucher'],
  BUSINESS: [
    'Businesses',
    'Näringsidkare',
    'Næringsdrivende',
    'Erhvervsdrivende',
    'Elinkeinonharjoittajat',
    'Unternehmer',
  ],
  ALL: [
    'All debtors',
    'Alla gäldenärer',
    'Alle skyldnere',
    'Alle skyldnere',
    'Kaikki velalliset',
    'Alle Schuldner',
  ],
}

export const interruption: Enumeration = {
  ACKNOWLEDGEMENT: [
    'Acknowledged by the debtor',
    'Erkänd av gäldenären',
    'Erkjent av skyldneren',
    'Anerkendt af skyldneren',
    'Velallisen tunnustus',
    'Anerkenntnis des Schuldners',
  ],
  PAYMENT: ['Payment', 'Betalning', 'Betaling', 'Betaling', 'Maksu', 'Zahlung'],
  DEMAND: ['Demand', 'Krav', 'Påkrav', 'Påkrav', 'Maksuvaatimus', 'Zahlungsaufforderung'],
  CLAIM_FILED: [
    'Claim filed with an authority',
    'Ansökan hos myndighet',
    'Krav fremsatt for myndighet',
    'Krav fremsat for myndighed',
    'Vaatimus viranomaiselle',
    'Antrag bei einer Behörde',
  ],
  TITLE: [
    'Enforceable title',
    'Exekutionstitel',
    'Tvangsgrunnlag',
    'Fundament for udlæg',
    'Ulosottoperuste',
    'Vollstreckungstitel',
  ],
}
