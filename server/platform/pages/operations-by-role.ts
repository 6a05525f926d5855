import { roleAccessCodes, type UserRole, allUserRoles } from '../../../contract/access/access.ts'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'

/** Where a page wants the table. */
export const operationsMark = '<!-- operations by role -->'

const roles = allUserRoles

function mayCall({ access, roles: admitted }: Operation, role: UserRole): boolean {
  if (access === 'public' || access === 'session') return true
  return access.some((code) => roleAccessCodes[role].includes(code)) || admitted?.includes(role) === true
}

function writeRow(operation: Operation): string {
  const { id, summary, access } = operation
  const named = typeof access === 'string' ? access : access.join(' or ')
  // A user who may use forms also needs the code of the form's own resource.
  const needs = operation.path.startsWith('/system/forms/') ? `${named}, and a code of the form` : named
  const cells = roles.map((role) => (mayCall(operation, role) ? '✓' : ''))
  return `| ${[id, summary, needs, ...cells].join(' | ')} |`
}

/** The specification's operations by number, then the others by name. */
function sortKey({ id }: Operation): string {
  const [, letter, number] = /^([SUD])(\d+)$/.exec(id) ?? []
  return letter ? `${'SUD'.indexOf(letter)}${number!.padStart(3, '0')}` : `9${id}`
}

/** A Markdown table of every operation with the roles that may call it, without access groups. */
export function writeOperationsByRole(): string {
  const head = `| operation | | needs | ${roles.join(' | ')} |`
  const line = `|${'---|'.repeat(roles.length + 3)}`
  const rows = operations.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(writeRow)
  return [head, line, ...rows].join('\n')
}
