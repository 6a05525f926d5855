/** Records that forms can be about, and values that their fields take. */
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { FormField } from '../../../contract/metadata/forms.ts'
import type { TestApi } from '../api.ts'

export type Value = string | number | boolean
export type Values = Record<string, Value>
type Known = Readonly<Record<string, string>>

export interface Records {
  /** A record of each kind that another can be about. */
  known: Known
  /** A debtor without a part in a case, as long as there are some. */
  takeDebtor(): string
}

export async function makeRecords(api: TestApi): Promise<Records> {
  const known: Record<string, string> = {}
  const make = async (path: string, body: object, member: string) =>
    (await api.call<Values>('POST', path, { body })).body[member] as string
  known['debtor'] = await make('/debtors', { lastname: 'Berg' }, 'debtorGuid')
  known['client'] = await make(
    '/system/forms/client/create',
    { name: 'Skåne Bageri AB', partyReferenceCode: 'BAGERI' },
    'clientGuid',
  )
  known['customer'] = await make(
    '/system/forms/customer/create',
    { clientGuid: known['client'], customerNumber: 'K-1', name: 'Bo Ek' },
    'customerGuid',
  )
  const debtors: string[] = []
  for (let count = 0; count < 100; count++)
    debtors.push(await make('/debtors', { lastname: `Dahl ${count}` }, 'debtorGuid'))
  await api.call('PATCH', `/system/forms/client/edit?id=${known['client']}`, {
    body: { currencyCode: 'SEK' },
  })
  known['case'] = await make(
    '/system/forms/case/register',
    { clientGuid: known['client'], debtorGuid: known['debtor'], principal: 100_000 },
    'caseGuid',
  )
  known['invoice'] = await make(
    `/system/forms/invoice/create?id=${known['case']}`,
    { principal: 10_000 },
    'invoiceGuid',
  )
  known['objection'] = await make(
    `/system/forms/objection/create?id=${known['case']}`,
    { matter: 'COMPLAINT', reason: 'Too many letters.' },
    'objectionGuid',
  )
  for (const code of ['FIRST', 'SECOND', 'THIRD']) {
    const actions = [{ kind: 'letter', letter: 'demand' }]
    const steps = [{ code: 'ONE', status: 'NEW', afterDays: 3, actions }]
    await make('/strategies', { code, name: code, steps }, 'strategyGuid')
  }
  // What the debtor paid too much on another case.
  const other = await make(
    '/system/forms/case/register',
    { clientGuid: known['client'], debtorGuid: known['debtor'], principal: 10 },
    'caseGuid',
  )
  await make('/system/forms/payment/register', { caseGuid: other, amount: 1000 }, 'paymentGuid')
  await api.call('POST', '/system/forms/lookupvalue/create', {
    body: { lookupCode: 'shoesize', lookupKey: '44', textEn: 'Forty-four' },
  })
  let taken = 0
  return { known, takeDebtor: () => debtors[++taken % debtors.length]! }
}

let serial = 0

const ofCode: Record<string, (form: Form, records: Records) => Value | undefined> = {
  idNumber: () => undefined,
  preferredChannel: () => 'LETTER',
  emailConsent: () => 'GIVEN',
  smsConsent: () => 'REFUSED',
  phoneConsent: () => 'GIVEN',
  timeZone: () => 'Europe/Oslo',
  underAged: () => undefined,
  fullAddress: () => undefined,
  // Of a person it is composed of the parts.
  fullName: ({ entity }) => (entity === 'debtor' ? 'Anna Berta Ek jr' : 'Bo Dal'),
  firstname: () => 'Anna',
  middlename: () => 'Berta',
  lastname: () => 'Ek',
  nameSuffix: () => 'jr',
  vatNumber: () => 'SE556036079301',
  naceCode: () => '62.01',
  zipCode: () => '211 42',
  email: () => `someone${++serial}@example.com`,
  conversationNotificationEmail: () => 'other@example.com',
  juridicalType: () => 0,
  password: () => 'a quite long passphrase of ours',
  // Not for a user with a password.
  invite: () => undefined,
  clientId: () => undefined,
  clientSecret: () => undefined,
  existingUserUniqueId: () => undefined,
  photoImage: () => undefined,
  url: () => 'https://hooks.example.com/fordra',
  command: () => 'apply-strategies',
  argument: () => 'dry-run',
  cron: () => '30 4 * * 1-5',
  types: () => 'debtor.*,case.closed',
  secret: () => `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  photoImageType: () => undefined,
  mfaType: () => 0,
  userRole: ({ entity }) => (entity === 'approvallimit' ? (++serial % 14) + 1 : 5),
  act: () => 'WRITE_OFF',
  // Only a limit for payments dated back has days.
  daysBack: () => undefined,
  clientRestriction: () => 'BAGERI/*',
  accessGroups: () => '',
  disabled: () => false,
  addressNotValidDate: () => '2026-03-01T00:00:00Z',
  validFrom: () => '2026-01-01T00:00:00Z',
  validTo: () => '2026-12-31T00:00:00Z',
  partyReferenceCode: ({ entity }) => (entity === 'user' ? 'AGENCY' : `CODE${++serial}`),
  entity: () => 'customer',
  type: () => 'string',
  minValue: () => undefined,
  maxValue: () => undefined,
  specificValues: () => 'a,b',
  defaultValue: () => 'a',
  required: () => false,
  hidden: () => false,
  lookupCode: ({ entity }) => (entity === 'field' ? 'shoesize' : `list${++serial}`),
  mustMatchLookup: () => false,
  code: ({ entity }) => `${entity === 'strategy' ? 'CODE' : 'code'}${++serial}`,
  steps: () => '{"code":"ONE","status":"NEW","afterDays":3,"actions":[{"kind":"letter","letter":"demand"}]}',
  running: () => undefined,
  // Of a payment the case alone says what is paid.
  debtorGuid: ({ entity }, { known, takeDebtor }) => {
    if (entity === 'payment') return undefined
    // A debtor has a part in a case once, and the walk adds some to the same case.
    return entity === 'case' ? takeDebtor() : known['debtor']!
  },
  debtorRole: ({ type }) => (type === 'register' ? 'MAIN_DEBTOR' : 'GUARANTOR'),
  paymentReferenceNumber: () => undefined,
  interestRate: ({ entity }) => (entity === 'case' || entity === 'invoice' ? 8.5 : undefined),
  interestFromDate: () => undefined,
  rate: () => 8.25,
  currencyCode: () => 'SEK',
  answerBy: () => '2026-02-01T00:00:00Z',
  // A handler and a team are chosen in the tests of the work.
  ownerGuid: () => undefined,
  teamGuid: () => undefined,
  nextActionDate: () => '2100-02-01T00:00:00Z',
  followUpDate: () => '2100-02-01T00:00:00Z',
  dueDate: () => '2026-02-01T00:00:00Z',
  invoiceDate: () => '2026-01-01T00:00:00Z',
  valueDate: () => undefined,
  interruptedDate: () => undefined,
  // An annuity takes one of number and amount, and a proposal holds no case.
  paymentPlanType: () => 1,
  numberOfPayments: () => 12,
  active: () => 2,
  cases: (_form, { known }) => known['case']!,
  amount: ({ entity }) => (entity === 'paymentplan' ? undefined : 12.5),
  status: () => 'AMICABLE',
  subStatus: () => undefined,
  champion: () => 'NORDIC',
  challenger: () => 'FIRST',
  challengerShare: () => 10,
  secondChallenger: () => 'SECOND',
  secondShare: () => 20,
  thirdChallenger: () => 'THIRD',
  thirdShare: () => 30,
  principalUpTo: () => 1000,
  // A series of its own: a shipped rate is not deleted.
  interestSeries: ({ entity }) => (entity === 'interestrate' ? 'QQ' : 'SE'),
  services: () => 'COLLECTION',
  fees: () => 'reminder 60',
  freeMonths: () => '6,12',
  interval: () => 1,
  payDay: () => undefined,
}
const ofLookup: Record<string, (known: Known) => Value> = {
  country: () => 'SE',
  currency: () => 'SEK',
  language: () => 'sv',
  culture: () => 'sv-SE',
  municipality: () => '1280',
  party: () => 'AGENCY',
  addresstype: () => 'LEGAL',
  accesscode: () => 'case.read,debtor.read',
  client: (known) => known['client']!,
  debtor: (known) => known['debtor']!,
  customer: (known) => known['customer']!,
  case: (known) => known['case']!,
  caseservice: () => 'SURVEILLANCE',
  feetype: () => 'reminder',
  claimcomponent: () => 'PRINCIPAL',
  rateseries: () => 'SE',
  debtorkind: () => 'CONSUMER',
  claimkind: () => 'CONSUMER_CREDIT',
  daycount: () => 'ACTUAL_ACTUAL',
  duedatebasis: () => 'INVOICE',
  holdreason: () => 'HOLD_DISPUTE',
  closurecode: () => 'OTHER',
  allocationorder: () => 'COST_PRINCIPAL_INTEREST',
  interruption: () => 'ACKNOWLEDGEMENT',
  objectionmatter: () => 'OBJECTION',
  objectionkind: () => 'PAID',
  objectiondecision: () => 'REJECTED',
  forbearance: () => 'PLAN',
}

/** A value that the field takes, in the form in which it is stored; undefined where it is better left out. */
export function makeSample(field: FormField, form: Form, records: Records): Value | undefined {
  const sample = ofCode[field.code]
  if (sample) return sample(form, records)
  if (ofLookup[field.lookupCode]) return ofLookup[field.lookupCode]!(records.known)
  if (field.specificValues !== '') {
    const last = field.specificValues.split(',').at(-1)!
    return field.type === 'integer' ? Number(last) : last
  }
  switch (field.type) {
    case 'boolean':
      return true
    case 'integer':
      return Number(field.maxValue || 7)
    case 'money':
    case 'decimal':
      return 12.5
    case 'date':
      return '2001-02-03T00:00:00Z'
    case 'text':
      return 'one line\nand another'
    default:
      if (/phone|telefax/i.test(field.code)) return '+46701740605'
      return `x${++serial}`.slice(0, field.length)
  }
}
