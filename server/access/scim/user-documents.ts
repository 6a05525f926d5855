/** A user as a document of SCIM, and a changed document as the change of a user. */
import { userRoles, type UserRole } from '../../../contract/access/access.ts'
import type { Document, Element } from './documents.ts'
import { badRequest } from './scim-failure.ts'
import { enterpriseSchemaId, partySchemaId } from './schemas.ts'
import type { DirectoryNames, ScimUser } from './scim-users.store.ts'

const given = (members: Record<string, unknown>): Document =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** The attributes that a directory may change. */
export function toUserDocument(user: ScimUser): Document {
  const phones = [
    { value: user.phoneNumber, type: 'work' },
    { value: user.cellularPhoneNumber, type: 'mobile' },
  ].filter(({ value }) => value !== null)
  const enterprise = given({ employeeNumber: user.employmentNumber, department: user.department })
  return given({
    externalId: user.externalId,
    userName: user.userName,
    name: given({ formatted: user.fullName, familyName: user.familyName, givenName: user.givenName }),
    displayName: user.fullName,
    active: !user.disabled,
    emails: [{ value: user.email, type: 'work', primary: true }],
    ...(phones.length > 0 && { phoneNumbers: phones }),
    roles: [{ value: String(user.userRole), display: userRoles[user.userRole as UserRole], primary: true }],
    preferredLanguage: user.languageCode,
    ...(Object.keys(enterprise).length > 0 && { [enterpriseSchemaId]: enterprise }),
    [partySchemaId]: { partyReferenceCode: user.partyReferenceCode },
  })
}

/** The members of a user that follow from a document. Empty texts clear; `undefined` leaves as it is. */
export interface UserMembers {
  email: string
  fullName: string
  disabled?: boolean
  userRole?: number
  phoneNumber: string
  cellularPhoneNumber: string
  languageCode: string
  employmentNumber: string
  department: string
}

export interface WantedUser {
  members: UserMembers
  names: DirectoryNames
  partyReferenceCode: string | undefined
}

const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** `before` is the document of the user as stored; undefined for a new one. */
export function readWantedUser(document: Document, before?: Document): WantedUser {
  const userName = readText(document['userName'])
  if (userName === '') throw badRequest('invalidValue', 'userName is required.')
  // A user always has an e-mail: one that is not sent stays.
  const email =
    findEmail(document) ?? (before && findEmail(before)) ?? (userName.includes('@') ? userName : '')
  if (email === '') throw badRequest('invalidValue', 'emails is required: one with the type work.')
  const name = (document['name'] ?? {}) as Element
  const enterprise = (document[enterpriseSchemaId] ?? {}) as Element
  const role = findRole(document, before)
  return {
    members: {
      email,
      fullName: findFullName(document, before) || userName,
      ...(typeof document['active'] === 'boolean' && { disabled: !document['active'] }),
      ...(role !== undefined && { userRole: role }),
      phoneNumber: findPhone(document, 'work'),
      cellularPhoneNumber: findPhone(document, 'mobile'),
      // A language of the form sv-SE names a country too.
      languageCode: readText(document['preferredLanguage'])
        .split(/[-_,;]/)[0]!
        .toLowerCase(),
      employmentNumber: readText(enterprise['employeeNumber']),
      department: readText(enterprise['department']),
    },
    names: {
      userName: userName.toLowerCase() === email.toLowerCase() ? null : limit(userName, 'userName'),
      externalId: limit(readText(document['externalId']), 'externalId') || null,
      givenName: limit(readText(name['givenName']), 'name.givenName') || null,
      familyName: limit(readText(name['familyName']), 'name.familyName') || null,
    },
    partyReferenceCode:
      readText(((document[partySchemaId] ?? {}) as Element)['partyReferenceCode']) || undefined,
  }
}

function limit(text: string, path: string): string {
  if (text.length > 254) throw badRequest('invalidValue', `${path} has more than 254 characters.`)
  return text
}

const listElements = (document: Document, name: string) => (document[name] ?? []) as Element[]

/** The primary e-mail, or that of work, or the first. */
function findEmail(document: Document): string | undefined {
  const emails = listElements(document, 'emails').filter(({ value }) => readText(value) !== '')
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => readText(type).toLowerCase() === 'work') ??
    emails[0]
  return chosen && readText(chosen['value'])
}

/** The last of a type: a directory adds a number after the one that it replaces. */
function findPhone(document: Document, type: 'work' | 'mobile'): string {
  const phone = listElements(document, 'phoneNumbers').findLast(
    (one) => readText(one['type']).toLowerCase() === type,
  )
  return readText(phone?.['value'])
}

/** Undefined leaves the role as it is. */
function findRole(document: Document, before: Document | undefined): number | undefined {
  const roles = listElements(document, 'roles').filter(({ value }) => readText(value) !== '')
  const old = readText(before && listElements(before, 'roles')[0]?.['value'])
  // A role that was added replaces the one before.
  const added = roles.length > 1 ? roles.filter(({ value }) => value !== old) : roles
  const chosen = added.find(({ primary }) => primary === true) ?? (added.length === 1 ? added[0] : undefined)
  if (added.length === 0) return undefined
  if (!chosen) throw badRequest('invalidValue', 'A user has one role. Send one, or mark one as primary.')
  const role = Number(readText(chosen['value']))
  if (role in userRoles) return role
  throw badRequest('invalidValue', 'The value of a role is its number: 1 to 14.')
}

/** Several attributes stand for the full name: the one that changed decides. */
function findFullName(document: Document, before: Document | undefined): string {
  const name = (document['name'] ?? {}) as Element
  const old = (before?.['name'] ?? {}) as Element
  const [shown, formatted] = [readText(document['displayName']), readText(name['formatted'])]
  const joined = [readText(name['givenName']), readText(name['familyName'])].filter(Boolean).join(' ')
  const joinedBefore = [readText(old['givenName']), readText(old['familyName'])].filter(Boolean).join(' ')
  if (shown !== '' && shown !== readText(before?.['displayName'])) return shown
  if (formatted !== '' && formatted !== readText(old['formatted'])) return formatted
  // The parts decide where the name was made of them.
  if (joined !== '' && joined !== joinedBefore && joinedBefore === readText(before?.['displayName']))
    return joined
  return shown || formatted || joined || readText(before?.['displayName'])
}
