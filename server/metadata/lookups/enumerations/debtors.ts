import type { Enumeration } from './enumeration.ts'

export const juridicalType: Enumeration = {
  0: [
    'Natural person',
    'Fysisk person',
    'Fysisk person',
    'Fysisk person',
    'Luonnollinen henkilö',
    'Natürliche Person',
  ],
  1: [
    'Legal person',
    'Juridisk person',
    'Juridisk person',
    'Juridisk person',
    'Oikeushenkilö',
    'Juristische Person',
  ],
}

export const gender: Enumeration = {
  0: ['Unknown', 'Okänt', 'Ukjent', 'Ukendt', 'Tuntematon', 'Unbekannt'],
  1: ['Male', 'Man', 'Mann', 'Mand', 'Mies', 'Männlich'],
  2: ['Female', 'Kvinna', 'Kvinne', 'Kvinde', 'Nainen', 'Weiblich'],
}

export const conversationNotificationChannel: Enumeration = {
  0: ['None', 'Ingen', 'Ingen', 'Ingen', 'Ei mitään', 'Keine'],
  1: ['E-mail', 'E-post', 'E-post', 'E-mail', 'Sähköposti', 'E-Mail'],
  2: ['SMS', 'Sms', 'SMS', 'Sms', 'Tekstiviesti', 'SMS'],
  3: [
    'E-mail and SMS',
    'E-post och sms',
    'E-post og SMS',
    'E-mail og sms',
    'Sähköposti ja tekstiviesti',
    'E-Mail und SMS',
  ],
}

/** LEGAL is ours; an installation adds its own. */
export const addressType: Enumeration = {
  LEGAL: [
    'Legal address',
    'Folkbokförings- eller sätesadress',
    'Folkeregistrert adresse',
    'Folkeregisteradresse',
    'Virallinen osoite',
    'Meldeadresse oder Sitz',
  ],
}
