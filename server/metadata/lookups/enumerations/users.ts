import { areas, verbs, type AccessCode } from '../../../../contract/access/access.ts'
import { descriptionIn, inSixLanguages, type Descriptions, type Enumeration } from './enumeration.ts'

export const userRole: Enumeration = {
  1: ['Server', 'Server', 'Server', 'Server', 'Palvelin', 'Server'],
  2: [
    'Solicitor, Administrator',
    'Ombud, administratör',
    'Inkassoforetak, administrator',
    'Inkassovirksomhed, administrator',
    'Perintätoimisto, pääkäyttäjä',
    'Inkassobüro, Administrator',
  ],
  3: [
    'Solicitor User',
    'Ombud, användare',
    'Inkassoforetak, bruker',
    'Inkassovirksomhed, bruger',
    'Perintätoimisto, käyttäjä',
    'Inkassobüro, Benutzer',
  ],
  4: [
    'Solicitor, Sales',
    'Ombud, försäljning',
    'Inkassoforetak, salg',
    'Inkassovirksomhed, salg',
    'Perintätoimisto, myynti',
    'Inkassobüro, Vertrieb',
  ],
  5: [
    'Solicitor, Other',
    'Ombud, övrig',
    'Inkassoforetak, annen',
    'Inkassovirksomhed, anden',
    'Perintätoimisto, muu',
    'Inkassobüro, Sonstige',
  ],
  6: [
    'Creditor, C.E.O',
    'Borgenär, vd',
    'Kreditor, daglig leder',
    'Kreditor, direktør',
    'Velkoja, toimitusjohtaja',
    'Gläubiger, Geschäftsführung',
  ],
  7: [
    'Creditor, Economy',
    'Borgenär, ekonomi',
    'Kreditor, økonomi',
    'Kreditor, økonomi',
    'Velkoja, talous',
    'Gläubiger, Buchhaltung',
  ],
  8: [
    'Creditor, Invoice receiver',
    'Borgenär, fakturamottagare',
    'Kreditor, fakturamottaker',
    'Kreditor, fakturamodtager',
    'Velkoja, laskun vastaanottaja',
    'Gläubiger, Rechnungsempfang',
  ],
  9: [
    'Creditor, Other',
    'Borgenär, övrig',
    'Kreditor, annen',
    'Kreditor, anden',
    'Velkoja, muu',
    'Gläubiger, Sonstige',
  ],
  10: [
    'Rentalobject, Administrator',
    'Hyresobjekt, administratör',
    'Utleieobjekt, administrator',
    'Lejeobjekt, administrator',
    'Vuokrakohde, pääkäyttäjä',
    'Mietobjekt, Verwaltung',
  ],
  11: [
    'Creditor, Primary contact',
    'Borgenär, huvudkontakt',
    'Kreditor, hovedkontakt',
    'Kreditor, hovedkontakt',
    'Velkoja, pääyhteyshenkilö',
    'Gläubiger, Hauptansprechpartner',
  ],
  12: [
    'Creditor, Report receiver',
    'Borgenär, rapportmottagare',
    'Kreditor, rapportmottaker',
    'Kreditor, rapportmodtager',
    'Velkoja, raporttien vastaanottaja',
    'Gläubiger, Berichtsempfang',
  ],
  13: [
    'Creditor, Trust accounting receiver',
    'Borgenär, mottagare av klientmedelsredovisning',
    'Kreditor, mottaker av klientmiddelregnskap',
    'Kreditor, modtager af klientkontoregnskab',
    'Velkoja, asiakasvaratilitysten vastaanottaja',
    'Gläubiger, Empfang der Treuhandabrechnung',
  ],
  14: [
    'Field collector',
    'Fältindrivare',
    'Feltinkassator',
    'Kørende inkassator',
    'Kenttäperijä',
    'Außendienst',
  ],
}

export const mfaType: Enumeration = {
  0: ['None', 'Ingen', 'Ingen', 'Ingen', 'Ei mitään', 'Keiner'],
  1: [
    'Authenticator app',
    'Autentiseringsapp',
    'Autentiseringsapp',
    'Godkendelsesapp',
    'Todennussovellus',
    'Authenticator-App',
  ],
  2: ['E-mail', 'E-post', 'E-post', 'E-mail', 'Sähköposti', 'E-Mail'],
  3: ['SMS', 'Sms', 'SMS', 'Sms', 'Tekstiviesti', 'SMS'],
}

const areaNames: Record<(typeof areas)[number], Descriptions> = {
  system: ['System', 'System', 'System', 'System', 'Järjestelmä', 'System'],
  user: ['Users', 'Användare', 'Brukere', 'Brugere', 'Käyttäjät', 'Benutzer'],
  client: ['Clients', 'Klienter', 'Klienter', 'Klienter', 'Asiakkaat', 'Auftraggeber'],
  debtor: ['Debtors', 'Gäldenärer', 'Skyldnere', 'Skyldnere', 'Velalliset', 'Schuldner'],
  case: ['Cases', 'Ärenden', 'Saker', 'Sager', 'Asiat', 'Akten'],
  payment: ['Payments', 'Betalningar', 'Betalinger', 'Betalinger', 'Maksut', 'Zahlungen'],
  paymentplan: [
    'Payment plans',
    'Avbetalningsplaner',
    'Nedbetalingsplaner',
    'Afdragsordninger',
    'Maksusuunnitelmat',
    'Ratenpläne',
  ],
  form: ['Forms', 'Formulär', 'Skjemaer', 'Formularer', 'Lomakkeet', 'Formulare'],
  lookup: ['Lookups', 'Uppslagslistor', 'Oppslagslister', 'Opslagslister', 'Hakuluettelot', 'Auswahllisten'],
  service: ['Services', 'Tjänster', 'Tjenester', 'Tjenester', 'Palvelut', 'Dienste'],
  audit: [
    'Audit trail',
    'Behandlingshistorik',
    'Revisjonsspor',
    'Revisionsspor',
    'Tapahtumaloki',
    'Änderungsprotokoll',
  ],
  report: ['Reports', 'Rapporter', 'Rapporter', 'Rapporter', 'Raportit', 'Berichte'],
}
const verbNames: Record<(typeof verbs)[number], Descriptions> = {
  read: ['read', 'läsa', 'lese', 'læse', 'luku', 'lesen'],
  write: ['write', 'ändra', 'endre', 'ændre', 'muokkaus', 'ändern'],
  admin: ['administer', 'administrera', 'administrere', 'administrere', 'hallinta', 'verwalten'],
}
const joined = (area: Descriptions, verb: Descriptions) =>
  inSixLanguages((language) => `${descriptionIn(area, language)}: ${descriptionIn(verb, language)}`)

export const accessCode: Enumeration = Object.fromEntries(
  areas.flatMap((area) =>
    verbs.map((verb): [AccessCode, Descriptions] => [
      `${area}.${verb}`,
      joined(areaNames[area], verbNames[verb]),
    ]),
  ),
)
