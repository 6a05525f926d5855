/** Payment plans: contract section 11. */
import type { Enumeration } from './enumeration.ts'

export const paymentPlanType: Enumeration = {
  1: ['Annuity', 'Annuitet', 'Annuitet', 'Annuitet', 'Annuiteetti', 'Annuität'],
  2: [
    'Annuity, limited',
    'Annuitet, begränsad',
    'Annuitet, begrenset',
    'Annuitet, begrænset',
    'Annuiteetti, rajattu',
    'Annuität, begrenzt',
  ],
  3: [
    'Linear',
    'Rak amortering',
    'Serie (like avdrag)',
    'Serie (lige store afdrag)',
    'Tasalyhennys',
    'Gleichbleibende Tilgung',
  ],
  4: [
    'Linear, limited',
    'Rak amortering, begränsad',
    'Serie, begrenset',
    'Serie, begrænset',
    'Tasalyhennys, rajattu',
    'Gleichbleibende Tilgung, begrenzt',
  ],
  5: [
    'Debt relief',
    'Skuldsanering',
    'Gjeldsordning',
    'Gældssanering',
    'Velkajärjestely',
    'Schuldenbereinigung',
  ],
}

export const paymentPlanActive: Enumeration = {
  0: ['Ended', 'Avslutad', 'Avsluttet', 'Afsluttet', 'Päättynyt', 'Beendet'],
  1: ['Active', 'Aktiv', 'Aktiv', 'Aktiv', 'Voimassa', 'Aktiv'],
  2: ['Proposal', 'Förslag', 'Forslag', 'Forslag', 'Ehdotus', 'Vorschlag'],
}

export const paymentPlanEndReason: Enumeration = {
  COMPLETED: ['Completed', 'Fullföljd', 'Fullført', 'Gennemført', 'Suoritettu loppuun', 'Erfüllt'],
  BREACHED: ['Breached', 'Bruten', 'Misligholdt', 'Misligholdt', 'Rauennut', 'Nicht eingehalten'],
  CANCELLED: ['Cancelled', 'Avbruten', 'Kansellert', 'Annulleret', 'Peruutettu', 'Abgebrochen'],
}

export const intervalType: Enumeration = {
  1: ['Day', 'Dag', 'Dag', 'Dag', 'Päivä', 'Tag'],
  2: ['Week', 'Vecka', 'Uke', 'Uge', 'Viikko', 'Woche'],
  3: ['Month', 'Månad', 'Måned', 'Måned', 'Kuukausi', 'Monat'],
  4: ['Year', 'År', 'År', 'År', 'Vuosi', 'Jahr'],
}

export const paymentType: Enumeration = {
  1: ['Total amount', 'Totalbelopp', 'Totalbeløp', 'Samlet beløb', 'Kokonaismäärä', 'Gesamtbetrag'],
  2: [
    'Principal amount',
    'Kapitalbelopp',
    'Avdrag på hovedstol',
    'Afdrag på hovedstol',
    'Lyhennys',
    'Tilgungsbetrag',
  ],
  3: ['Specified', 'Angivet', 'Angitt', 'Angivet', 'Erikseen määrätty', 'Angegeben'],
}
