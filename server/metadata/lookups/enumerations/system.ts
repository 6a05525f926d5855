import { descriptionIn, inSixLanguages, type Descriptions, type Enumeration } from './enumeration.ts'

/** S11: contract section 14. */
export const command: Enumeration = {
  'day-end': [
    'Run the day’s end',
    'Kör dagsavslut',
    'Kjør dagsavslutning',
    'Kør dagsafslutning',
    'Aja päivän päätös',
    'Tagesabschluss ausführen',
  ],
  'accrue-interest': [
    'Accrue interest',
    'Beräkna ränta',
    'Beregn renter',
    'Beregn renter',
    'Laske korot',
    'Zinsen berechnen',
  ],
  'apply-strategies': [
    'Apply strategies',
    'Tillämpa strategier',
    'Bruk strategier',
    'Anvend strategier',
    'Sovella strategioita',
    'Strategien anwenden',
  ],
  'check-payment-plans': [
    'Check payment plans',
    'Kontrollera avbetalningsplaner',
    'Kontroller nedbetalingsplaner',
    'Kontrollér afdragsordninger',
    'Tarkista maksusuunnitelmat',
    'Ratenpläne prüfen',
  ],
  'verify-ledger': [
    'Verify the ledger',
    'Kontrollera reskontran',
    'Kontroller reskontroen',
    'Kontrollér bogføringen',
    'Tarkista reskontra',
    'Buchungen prüfen',
  ],
  'retry-jobs': [
    'Retry failed jobs',
    'Försök igen med misslyckade jobb',
    'Prøv mislykkede jobber igjen',
    'Prøv mislykkede job igen',
    'Yritä epäonnistuneita töitä uudelleen',
    'Fehlgeschlagene Aufträge wiederholen',
  ],
  'purge-expired': [
    'Purge what has expired',
    'Gallra det som löpt ut',
    'Slett det som er utløpt',
    'Slet det, der er udløbet',
    'Poista vanhentuneet tiedot',
    'Abgelaufenes löschen',
  ],
  'rebuild-search': [
    'Rebuild the search',
    'Bygg om sökningen',
    'Bygg søket på nytt',
    'Genopbyg søgningen',
    'Rakenna haku uudelleen',
    'Suche neu aufbauen',
  ],
  import: [
    'Import a file',
    'Importera en fil',
    'Importer en fil',
    'Importér en fil',
    'Tuo tiedosto',
    'Datei importieren',
  ],
}

const levels: Record<'error' | 'info' | 'debug' | 'trace', Descriptions> = {
  error: ['Errors only', 'Bara fel', 'Bare feil', 'Kun fejl', 'Vain virheet', 'Nur Fehler'],
  info: ['Normal', 'Normal', 'Normal', 'Normal', 'Tavallinen', 'Normal'],
  debug: ['Detailed', 'Detaljerad', 'Detaljert', 'Detaljeret', 'Yksityiskohtainen', 'Ausführlich'],
  trace: ['Everything', 'Allt', 'Alt', 'Alt', 'Kaikki', 'Alles'],
}
const levelOf = (level: number) => (level < 1 ? 'error' : level < 2 ? 'info' : level < 6 ? 'debug' : 'trace')

/** S12. */
export const logLevel: Enumeration = Object.fromEntries(
  Array.from({ length: 11 }, (_, level) => [
    level,
    inSixLanguages((language) => `${level} – ${descriptionIn(levels[levelOf(level)], language)}`),
  ]),
)

export const messageChannel: Enumeration = {
  email: ['E-mail', 'E-post', 'E-post', 'E-mail', 'Sähköposti', 'E-Mail'],
  sms: ['SMS', 'Sms', 'SMS', 'Sms', 'Tekstiviesti', 'SMS'],
}

/** Types of fields in forms (contract section 13), and so of those that an installation defines. */
export const fieldType: Enumeration = {
  string: ['Line of text', 'Textrad', 'Tekstlinje', 'Tekstlinje', 'Tekstirivi', 'Textzeile'],
  text: ['Text', 'Text', 'Tekst', 'Tekst', 'Teksti', 'Text'],
  integer: ['Whole number', 'Heltal', 'Heltall', 'Heltal', 'Kokonaisluku', 'Ganze Zahl'],
  decimal: ['Decimal number', 'Decimaltal', 'Desimaltall', 'Decimaltal', 'Desimaaliluku', 'Dezimalzahl'],
  money: ['Amount', 'Belopp', 'Beløp', 'Beløb', 'Rahamäärä', 'Betrag'],
  boolean: ['Yes or no', 'Ja eller nej', 'Ja eller nei', 'Ja eller nej', 'Kyllä tai ei', 'Ja oder nein'],
  date: ['Date', 'Datum', 'Dato', 'Dato', 'Päivämäärä', 'Datum'],
  datetime: [
    'Date and time',
    'Datum och tid',
    'Dato og tid',
    'Dato og tid',
    'Päivämäärä ja aika',
    'Datum und Uhrzeit',
  ],
  guid: ['Identifier', 'Identifierare', 'Identifikator', 'Identifikator', 'Tunniste', 'Kennung'],
  lookup: [
    'Value of a lookup',
    'Värde ur uppslagslista',
    'Verdi fra oppslagsliste',
    'Værdi fra opslagsliste',
    'Hakuluettelon arvo',
    'Wert einer Auswahlliste',
  ],
}

export const displayType: Enumeration = {
  input: ['Input', 'Inmatning', 'Inndatafelt', 'Indtastningsfelt', 'Syöttökenttä', 'Eingabefeld'],
  textarea: ['Text area', 'Textruta', 'Tekstområde', 'Tekstområde', 'Tekstialue', 'Textfeld'],
  checkbox: [
    'Check box',
    'Kryssruta',
    'Avkrysningsboks',
    'Afkrydsningsfelt',
    'Valintaruutu',
    'Kontrollkästchen',
  ],
  select: ['List', 'Lista', 'Liste', 'Liste', 'Luettelo', 'Liste'],
  typeahead: [
    'Search while typing',
    'Sök medan du skriver',
    'Søk mens du skriver',
    'Søg mens du skriver',
    'Haku kirjoitettaessa',
    'Suche beim Tippen',
  ],
  date: ['Date', 'Datum', 'Dato', 'Dato', 'Päivämäärä', 'Datum'],
  money: ['Amount', 'Belopp', 'Beløp', 'Beløb', 'Rahamäärä', 'Betrag'],
  readonly: ['Shown only', 'Visas bara', 'Bare vist', 'Vises kun', 'Vain näytetään', 'Nur Anzeige'],
}

/** By the `personalDataTypeId` of form definitions. */
export const personalDataType: Enumeration = {
  0: [
    'No personal data',
    'Ingen personuppgift',
    'Ikke personopplysning',
    'Ikke personoplysning',
    'Ei henkilötieto',
    'Keine personenbezogenen Daten',
  ],
  1: [
    'Identity number',
    'Identitetsnummer',
    'Identitetsnummer',
    'Identitetsnummer',
    'Henkilötunnus',
    'Identitätsnummer',
  ],
  2: ['Name', 'Namn', 'Navn', 'Navn', 'Nimi', 'Name'],
  3: [
    'Contact details',
    'Kontaktuppgifter',
    'Kontaktopplysninger',
    'Kontaktoplysninger',
    'Yhteystiedot',
    'Kontaktdaten',
  ],
  4: ['Address', 'Adress', 'Adresse', 'Adresse', 'Osoite', 'Adresse'],
  5: ['Birth', 'Födelse', 'Fødsel', 'Fødsel', 'Syntymä', 'Geburt'],
}
