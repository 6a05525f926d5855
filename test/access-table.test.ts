/** The table of operations by role in docs/domain/operations-by-role.md is made from the contract; this proves it current. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { format } from 'prettier'
import { roleAccessCodes, userRoles, type UserRole } from '../contract/access/access.ts'
import { operations } from '../contract/api.ts'
import type { Operation } from '../contract/platform/operation.ts'

const guide = 'docs/domain/operations-by-role.md'
const [begin, end] = ['<!-- operations by role -->', '<!-- end of operations by role -->']
const roles = Object.keys(userRoles).map(Number) as UserRole[]

function mayCall({ access, roles: admitted }: Operation, role: UserRole): boolean {
  if (access === 'public' || access === 'session') return true
  return access.some((code) => roleAccessCodes[role].includes(code)) || admitted?.includes(role) === true
}

function rowOf(operation: Operation): string {
  const { id, summary, access } = operation
  const named = typeof access === 'string' ? access : access.join(' or ')
  // Whoever may use forms at all still needs what the resource of the form asks for.
  const needs = operation.path.startsWith('/system/forms/') ? `${named}, and a code of the form` : named
  const cells = roles.map((role) => (mayCall(operation, role) ? '✓' : ''))
  return `| ${[id, summary, needs, ...cells].join(' | ')} |`
}

const sortKey = ({ id }: Operation) => {
  const [, letter, number] = /^([SUD])(\d+)$/.exec(id) ?? []
  return letter ? `${'SUD'.indexOf(letter)}${number!.padStart(3, '0')}` : `9${id}`
}

async function tableOfOperations(): Promise<string> {
  const head = `| operation | | needs | ${roles.join(' | ')} |`
  const line = `|${'---|'.repeat(roles.length + 3)}`
  const rows = operations.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(rowOf)
  return (await format([head, line, ...rows].join('\n'), { parser: 'markdown' })).trim()
}

test('the table of operations by role is current (FORDRA_UPDATE=1 writes it anew)', async () => {
  const text = readFileSync(guide, 'utf8')
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  assert.ok(from > begin.length && to > from, 'the guide has a place for the table')
  const table = await tableOfOperations()
  if (process.env['FORDRA_UPDATE'] === '1') {
    writeFileSync(guide, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`)
    return
  }
  assert.equal(text.slice(from, to).trim(), table)
})
