/** Writes drawn at random: new debtors with an address, and changes of any member of a debtor or its address. */
import { basePath } from '../../contract/api.ts'
import { debtorMemberFields, mainAddressFields } from '../../contract/parties/debtors.ts'
import type { DemoDebtor } from '../../cli/demo/debtors.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import type { HttpRequest } from '../drive/requests.ts'
import { draw, type Random } from './random.ts'

export interface DrawnWrite {
  product: HttpRequest
  reference: HttpRequest
}

/** A debtor that changes. */
export interface Subject {
  id: string
  addressId: string
  countryCode: string
  juridicalType: number
}

export const readSubjects = async (sql: Sql): Promise<Subject[]> =>
  sql<Subject[]>`
    select d.id, a.id as "addressId", d.country_code as "countryCode", d.juridical_type as "juridicalType"
    from debtor d join address a on a.debtor_id = d.id and a.default_address
    where d.id_number is not null order by md5(d.debtor_reference) limit 20000`

/** Members that a demo debtor has no values for. `number` makes each value another one. */
const invented: Record<string, (number: number) => string | boolean> = {
  cultureCode: (number) => (number % 2 === 0 ? 'sv-SE' : 'en-GB'),
  nameSuffix: (number) => `Jr ${number}`,
  domicile: (number) => `Town ${number}`,
  municipalCode: (number) => String(1000 + (number % 8000)),
  telefax: (number) => `+4687${String(1_000_000 + (number % 8_000_000))}`,
  conversationNotificationEmail: (number) => `notify${number}@example.com`,
  conversationNotificationCellularPhone: (number) => `+4670${String(1_000_000 + (number % 8_000_000))}`,
  emailConsent: (number) => (number % 2 === 0 ? 'GIVEN' : 'REFUSED'),
  smsConsent: (number) => (number % 2 === 0 ? 'GIVEN' : 'REFUSED'),
  phoneConsent: (number) => (number % 2 === 0 ? 'GIVEN' : 'REFUSED'),
  timeZone: (number) => (number % 2 === 0 ? 'Europe/Stockholm' : 'Europe/Oslo'),
  protectedIdentity: (number) => number % 2 === 0,
  forwardingAddress: (number) => `Box ${number}, Lund`,
}

/** Kinds of persons and under-age follow from other members; a person's full name from its parts. */
const followers = new Set(['juridicalType', 'underAged'])
const ofCompanies = new Set(['fullName', 'vatNumber', 'naceCode'])
const ofPersons = new Set([
  'firstname',
  'middlename',
  'lastname',
  'nameSuffix',
  'dateOfBirth',
  'gender',
  'placeOfBirth',
])
const changedMembers = [...Object.keys(debtorMemberFields), ...Object.keys(mainAddressFields)].filter(
  (member) => !followers.has(member),
)
const isOfAddress = (member: string) => member in mainAddressFields

export interface WriteSource {
  subjects: readonly Subject[]
  nextDebtor(): Partial<DemoDebtor>
  nextNumber(): number
  /** Undefined where debtors of that country and kind have none. */
  nextValue(subject: Subject, member: string): unknown
}

export function drawCreate({ nextDebtor }: WriteSource): DrawnWrite {
  const body = nextDebtor()
  return {
    product: { method: 'POST', path: `${basePath}/debtors`, body },
    reference: { method: 'POST', path: '/create/', body },
  }
}

/** Of one kind of members, or of any. */
export function drawUpdate(
  random: Random,
  source: WriteSource,
  members: readonly string[] = changedMembers,
): DrawnWrite {
  for (;;) {
    const subject = draw(random, source.subjects)
    const member = draw(random, members)
    if ((subject.juridicalType === 0 ? ofCompanies : ofPersons).has(member)) continue
    // Other countries' numbers hold the date of birth, which another date would contradict.
    if (member === 'dateOfBirth' && subject.countryCode !== 'DE') continue
    // Others' countries are held to be those of the address; a new number is checked by its rules.
    const value = invented[member]?.(source.nextNumber()) ?? source.nextValue(subject, member)
    if (value === undefined) continue
    const body = { [member]: value }
    return isOfAddress(member)
      ? {
          product: {
            method: 'PATCH',
            path: `${basePath}/debtors/${subject.id}/addresses/${subject.addressId}`,
            body,
          },
          reference: { method: 'PATCH', path: `/address/${subject.addressId}`, body },
        }
      : {
          product: { method: 'PATCH', path: `${basePath}/debtors/${subject.id}`, body },
          reference: { method: 'PATCH', path: `/update/${subject.id}`, body },
        }
  }
}

const getKey = ({ countryCode, juridicalType }: Partial<Subject>, member: string) =>
  `${countryCode} ${juridicalType} ${member}`

/** Values that new debtors of one country and kind have, by member. Each is given once. */
export function openValues(nextDebtor: () => Partial<DemoDebtor>): WriteSource['nextValue'] {
  const queues = new Map<string, unknown[]>()
  /** Kinds of debtors without the member: each look costs as much as some hundred requests. */
  const missing = new Set<string>()
  return (subject, member) => {
    if (missing.has(getKey(subject, member))) return undefined
    for (let tries = 0; tries < triesMax; tries++) {
      const value = queues.get(getKey(subject, member))?.pop()
      if (value !== undefined) return value
      const other = nextDebtor()
      for (const [name, given] of Object.entries(other)) {
        if (given === undefined) continue
        const key = getKey(other as Partial<Subject>, name)
        const queue = queues.get(key) ?? []
        if (queue.length < queueMax) queue.push(given)
        queues.set(key, queue)
      }
    }
    missing.add(getKey(subject, member))
    return undefined
  }
}
const triesMax = 500
const queueMax = 5000
