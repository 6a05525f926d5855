/** What a claim is made of, what it costs and bears, in words: contract section 9. */
import { allocationOrderCodes } from '../../../../core/ledger/allocation.ts'
import { feeWords } from '../../../../core/ledger/case-texts.ts'
import { feeTypes } from '../../../../core/ledger/statutory-fees.ts'
import type { Language } from '../../../../contract/platform/languages.ts'
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

/** By the words that a booked fee is told in. */
export const feeType: Enumeration = Object.fromEntries(
  feeTypes.map((type) => [type, inSixLanguages((language) => feeWords(type, language))]),
)

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
