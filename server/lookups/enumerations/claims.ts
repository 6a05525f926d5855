/** What a claim is made of, what it costs and bears, in words: contract section 9. */
import { allocationOrderCodes } from '../../../core/allocation.ts'
import type { Language } from '../../../contract/languages.ts'
import { descriptionIn, inSixLanguages, type Enumeration } from './enumeration.ts'

/** The parts of a claim to which money goes, in an order that the client's terms name. */
export const claimComponent: Enumeration = {
  cost: ['Costs', 'Kostnader', 'Omkostninger', 'Omkostninger', 'Kulut', 'Kosten'],
  interest: ['Interest', 'Ränta', 'Renter', 'Renter', 'Korko', 'Zinsen'],
  principal: ['Principal', 'Kapital', 'Hovedstol', 'Hovedstol', 'Pääoma', 'Hauptforderung'],
}

const component = {
  COST: claimComponent['cost']!,
  INTEREST: claimComponent['interest']!,
  PRINCIPAL: claimComponent['principal']!,
}
type Part = keyof typeof component

/** An order is described by its components. */
export const allocationOrder: Enumeration = Object.fromEntries(
  allocationOrderCodes.map((code) => {
    const parts = code.split('_') as Part[]
    const inOrder = (language: Language) =>
      parts.map((part) => descriptionIn(component[part], language)).join(', ')
    return [code, inSixLanguages(inOrder)]
  }),
)

export const feeType: Enumeration = {
  reminder: ['Reminder', 'Påminnelse', 'Purring', 'Rykker', 'Maksumuistutus', 'Mahnung'],
  collectionDemand: [
    'Collection demand',
    'Inkassokrav',
    'Inkassovarsel',
    'Inkassoskrivelse',
    'Perintävaatimus',
    'Inkassoschreiben',
  ],
  paymentPlan: [
    'Payment plan',
    'Avbetalningsplan',
    'Avdragsordning',
    'Afdragsordning',
    'Maksusuunnitelma',
    'Ratenplan',
  ],
  compensation: [
    'Compensation for late payment',
    'Förseningsersättning',
    'Kompensasjon for forsinkelse',
    'Kompensation for forsinkelse',
    'Vakiokorvaus',
    'Verzugspauschale',
  ],
  planReminder: [
    'Reminder of a payment plan',
    'Påminnelse om avbetalningsplan',
    'Purring på avdragsordning',
    'Rykker for afdragsordning',
    'Maksusuunnitelman muistutus',
    'Mahnung zum Ratenplan',
  ],
  paymentOrder: [
    'Payment order',
    'Betalningsföreläggande',
    'Betalingspålegg',
    'Betalingspåkrav',
    'Maksamismääräys',
    'Mahnbescheid',
  ],
  feeUnit: ['Fee unit', 'Avgiftsenhet', 'Rettsgebyr', 'Gebyrenhed', 'Maksuyksikkö', 'Gebühreneinheit'],
  collectionNotice: [
    'Collection notice',
    'Inkassomeddelande',
    'Inkassovarsel',
    'Inkassovarsel',
    'Perintäilmoitus',
    'Inkassoankündigung',
  ],
  ownCollectionDemand: [
    "Creditor's own demand",
    'Borgenärens eget krav',
    'Egeninkasso',
    'Kreditors eget krav',
    'Velkojan oma vaatimus',
    'Eigene Zahlungsaufforderung',
  ],
  courtFeeUnit: [
    'Court fee unit',
    'Domstolsavgift',
    'Rettsgebyr for domstol',
    'Retsafgift',
    'Oikeudenkäyntimaksu',
    'Gerichtsgebühr',
  ],
  collectionFee: [
    'Collection fee',
    'Inkassoavgift',
    'Inkassosalær',
    'Inkassogebyr',
    'Perintäpalkkio',
    'Inkassogebühr',
  ],
  enforceableDemand: [
    'Demand with a title',
    'Krav med exekutionstitel',
    'Krav med tvangsgrunnlag',
    'Krav med fundament',
    'Ulosottokelpoinen vaatimus',
    'Forderung mit Titel',
  ],
  draft: ['Draft', 'Utkast', 'Utkast', 'Udkast', 'Luonnos', 'Entwurf'],
  dueDateMove: [
    'Due date moved',
    'Flyttad förfallodag',
    'Flyttet forfall',
    'Flyttet forfaldsdag',
    'Eräpäivän siirto',
    'Verschobene Fälligkeit',
  ],
  totalCap: [
    'Cap on all costs',
    'Tak för kostnader',
    'Tak for omkostninger',
    'Loft over omkostninger',
    'Kulujen enimmäismäärä',
    'Höchstbetrag der Kosten',
  ],
  enforceableTotalCap: [
    'Cap on all costs with a title',
    'Tak för kostnader med exekutionstitel',
    'Tak for omkostninger med tvangsgrunnlag',
    'Loft over omkostninger med fundament',
    'Kulujen enimmäismäärä ulosottoperusteella',
    'Höchstbetrag der Kosten mit Titel',
  ],
  externalCollection: [
    'External collection costs',
    'Externa inkassokostnader',
    'Eksterne inkassokostnader',
    'Eksterne inddrivelsesomkostninger',
    'Ulkoiset perintäkulut',
    'Externe Inkassokosten',
  ],
  lawyerScale: [
    "Lawyer's scale",
    'Advokattaxa',
    'Advokattakst',
    'Advokattakst',
    'Asianajotaksa',
    'Anwaltsgebühr',
  ],
  smallClaimBase: [
    'Base fee of a small claim',
    'Grundavgift för småbelopp',
    'Grunngebyr for småkrav',
    'Grundgebyr for småkrav',
    'Pienen saatavan perusmaksu',
    'Grundgebühr bei Kleinforderung',
  ],
  minimumFee: [
    'Least fee',
    'Minsta avgift',
    'Minstegebyr',
    'Mindste gebyr',
    'Vähimmäismaksu',
    'Mindestgebühr',
  ],
}

/** What a claim is for, which decides when it becomes time-barred. */
export const claimKind: Enumeration = {
  GENERAL: ['General', 'Allmän', 'Alminnelig', 'Almindelig', 'Yleinen', 'Allgemein'],
  CONSUMER: [
    'Goods or services to a consumer',
    'Vara eller tjänst till konsument',
    'Vare eller tjeneste til forbruker',
    'Vare eller tjeneste til forbruger',
    'Tavara tai palvelu kuluttajalle',
    'Ware oder Dienstleistung an Verbraucher',
  ],
  CONSUMER_CREDIT: [
    'Consumer credit',
    'Konsumentkredit',
    'Forbrukerkreditt',
    'Forbrugerkredit',
    'Kulutusluotto',
    'Verbraucherkredit',
  ],
}

export const rateSeries: Enumeration = {
  SE: [
    "Sweden: Riksbanken's reference rate",
    'Sverige: Riksbankens referensränta',
    'Sverige: Riksbankens referanserente',
    'Sverige: Riksbankens referencesats',
    'Ruotsi: Riksbankenin viitekorko',
    'Schweden: Referenzzins der Riksbank',
  ],
  NO: [
    'Norway: late-payment rate',
    'Norge: dröjsmålsränta',
    'Norge: forsinkelsesrente',
    'Norge: morarente',
    'Norja: viivästyskorko',
    'Norwegen: Verzugszins',
  ],
  DK: [
    "Denmark: Nationalbanken's lending rate",
    'Danmark: Nationalbankens utlåningsränta',
    'Danmark: Nationalbankens utlånsrente',
    'Danmark: Nationalbankens udlånsrente',
    'Tanska: Nationalbankenin antolainakorko',
    'Dänemark: Ausleihesatz der Nationalbank',
  ],
  FI: [
    'Finland: reference rate',
    'Finland: referensränta',
    'Finland: referanserente',
    'Finland: referencesats',
    'Suomi: korkolain viitekorko',
    'Finnland: Referenzzins',
  ],
  DE: [
    'Germany: base rate',
    'Tyskland: basränta',
    'Tyskland: basisrente',
    'Tyskland: basisrente',
    'Saksa: peruskorko',
    'Deutschland: Basiszinssatz',
  ],
  EU: [
    'ECB: main refinancing operations',
    'ECB: huvudsakliga refinansieringstransaktioner',
    'ESB: hovedrefinansiering',
    'ECB: primære markedsoperationer',
    'EKP: perusrahoitusoperaatiot',
    'EZB: Hauptrefinanzierungsgeschäfte',
  ],
}
