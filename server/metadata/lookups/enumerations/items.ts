import type { Enumeration } from './enumeration.ts'

export const itemType: Enumeration = {
  1: ['Debt collection case', 'Inkassoärende', 'Inkassosak', 'Inkassosag', 'Perintäasia', 'Inkassoakte'],
  2: ['Client', 'Klient', 'Klient', 'Klient', 'Asiakas', 'Auftraggeber'],
  3: ['Debtor', 'Gäldenär', 'Skyldner', 'Skyldner', 'Velallinen', 'Schuldner'],
  4: ['3rd party', 'Tredje part', 'Tredjepart', 'Tredjepart', 'Kolmas osapuoli', 'Dritter'],
  5: ['Invoice', 'Faktura', 'Faktura', 'Faktura', 'Lasku', 'Rechnung'],
  6: ['Account', 'Konto', 'Konto', 'Konto', 'Tili', 'Konto'],
  7: ['Customer', 'Kund', 'Kunde', 'Kunde', 'Loppuasiakas', 'Kunde'],
  8: ['Purchase', 'Köp', 'Kjøp', 'Køb', 'Osto', 'Kauf'],
  9: ['Object', 'Objekt', 'Objekt', 'Objekt', 'Kohde', 'Objekt'],
}

export const favoriteType: Enumeration = {
  0: [
    'Address in the console',
    'Adress i konsolen',
    'Adresse i konsollen',
    'Adresse i konsollen',
    'Konsolin osoite',
    'Adresse in der Konsole',
  ],
  ...itemType,
}
