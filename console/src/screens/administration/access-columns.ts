import type { AccessCode, UserRole } from '../../../../contract/access/access.ts'
import type { Access } from '../../../../contract/metadata/forms/form.ts'

/** A role or access group with its access codes. */
export interface AccessColumn {
  key: string
  name: string
  codes: readonly string[]
  role?: UserRole
}

/** The service's rule: one of the access codes, or a role admitted by name. */
export function isGiven(
  { access, roles: admitted }: Pick<Access, 'access' | 'roles'>,
  { codes, role }: AccessColumn,
): boolean {
  if (typeof access === 'string') return true
  const has = access.some((code: AccessCode) => codes.includes(code))
  return has || (role !== undefined && admitted?.includes(role) === true)
}
