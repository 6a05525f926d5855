/**
 * The rights of callers. An access code is `<area>.<verb>`; a role has a default set of them. Access checks, the
 * OpenAPI document and the documentation all read this table.
 */
export const areas = [
  'system',
  'user',
  'client',
  'debtor',
  'case',
  'payment',
  'paymentplan',
  'form',
  'lookup',
  'service',
  'audit',
  'report',
] as const
export const verbs = ['read', 'write', 'admin'] as const
/** Lets a directory provision users and access groups by SCIM. It gives no other right. */
export const provisionCode = 'user.provision'
export type AccessCode = `${(typeof areas)[number]}.${(typeof verbs)[number]}` | typeof provisionCode
export const allAccessCodes: readonly AccessCode[] = [
  ...areas.flatMap((area) => verbs.map((verb) => `${area}.${verb}` as const)),
  provisionCode,
]

/** UserRoleType of the specification. */
export const userRoles = {
  1: 'Server',
  2: 'Solicitor, Administrator',
  3: 'Solicitor User',
  4: 'Solicitor, Sales',
  5: 'Solicitor, Other',
  6: 'Creditor, C.E.O',
  7: 'Creditor, Economy',
  8: 'Creditor, Invoice receiver',
  9: 'Creditor, Other',
  10: 'Rentalobject, Administrator',
  11: 'Creditor, Primary contact',
  12: 'Creditor, Report receiver',
  13: 'Creditor, Trust accounting receiver',
  14: 'Field collector',
} as const
export type UserRole = keyof typeof userRoles
export const allUserRoles = Object.keys(userRoles).map(Number) as UserRole[]

const reading: AccessCode[] = [
  'system.read',
  'client.read',
  'debtor.read',
  'case.read',
  'payment.read',
  'paymentplan.read',
  'form.read',
  'lookup.read',
  'report.read',
]
const handling: AccessCode[] = [
  ...reading,
  'service.read',
  'client.write',
  'debtor.write',
  'case.write',
  'payment.write',
  'paymentplan.write',
  'form.write',
  'service.write',
]

/** The access codes of each role. */
export const roleAccessCodes: Record<UserRole, readonly AccessCode[]> = {
  1: allAccessCodes,
  2: allAccessCodes,
  3: handling,
  4: [...reading, 'client.write', 'form.write'],
  5: reading,
  6: [...reading, 'user.read', 'user.write'],
  7: reading,
  8: reading,
  9: reading,
  10: reading,
  11: [...reading, 'user.read', 'user.write'],
  12: reading,
  13: reading,
  // Also writes addresses, extra fields and notes: those operations admit the role by name (`Operation.roles`).
  14: [...reading, 'payment.write'],
}

/** Roles that see only the data of their own clients. */
export const creditorRoles: readonly UserRole[] = [6, 7, 8, 9, 10, 11, 12, 13]
