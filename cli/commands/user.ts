/** Manages users from the command line, for the case that nobody can sign in. */
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { userRoles } from '../../contract/access/access.ts'
import type { UserChange } from '../../contract/access/users.ts'
import type { Settings } from '../../server/platform/config.ts'
import { streamRows } from '../../server/platform/database/stream-rows.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { unrestricted } from '../../server/platform/database/row-scope.ts'
import { openConfigured } from '../../server/main.ts'
import { findUserForLogin } from '../../server/access/sessions/sessions.store.ts'
import { changeUser, createUser } from '../../server/access/users/users.changes.ts'
import { userRows } from '../../server/access/users/users.store.ts'
import { actingAs, createOrigin, readBusinessDate } from './acting-user.ts'
import { loadSettings, report } from '../settings.ts'

export interface UserOptions {
  name?: string
  role?: string
  party?: string
  userCode?: string
  passwordStdin?: boolean
  json?: boolean
}

/** Without a given password one is generated and shown once. */
export async function runCreateUser(email: string, options: UserOptions): Promise<void> {
  const userRole = Number(options.role ?? 2)
  if (!(userRole in userRoles)) {
    const roles = Object.entries(userRoles).map(([number, name]) => `${number} ${name}`)
    throw new Error(`'${options.role}' is no role. The roles are: ${roles.join('; ')}.`)
  }
  const { password, made } = await takePassword(options)
  await onDatabase(async (sql, settings) => {
    const party = options.party ?? (await agencyCode(sql))
    const input = {
      email,
      fullName: options.name ?? email,
      userRole,
      partyReferenceCode: party,
      password,
      ...(options.userCode !== undefined && { userCode: options.userCode }),
    }
    const origin = await createOrigin(sql, settings, 'user create')
    const { userGuid } = await createUser(sql, await actingAs(sql, undefined), input, {
      origin,
      countryCode: settings.FORDRA_COUNTRY,
    })
    tell(options, { userGuid, email, userRole, ...(made && { password }) }, [
      `Made ${email}, role ${userRole} (${userRoles[userRole as keyof typeof userRoles]}).`,
      ...(made ? [`Password (shown this once): ${password}`] : []),
    ])
  })
}

export async function runResetPassword(login: string, options: UserOptions): Promise<void> {
  const { password, made } = await takePassword(options)
  await change(login, 'user reset-password', { password })
  tell(options, { login, ...(made && { password }) }, [
    `${login} has a new password; all sessions of that user are ended.`,
    ...(made ? [`Password (shown this once): ${password}`] : []),
  ])
}

export async function runDisableUser(login: string, disabled: boolean, options: UserOptions): Promise<void> {
  await change(login, disabled ? 'user disable' : 'user enable', { disabled, password: null })
  tell(options, { login, disabled }, [
    disabled ? `${login} is disabled and signed out everywhere.` : `${login} may sign in again.`,
  ])
}

export async function runListUsers(options: UserOptions): Promise<void> {
  await onDatabase(async (sql, settings) => {
    const visible = unrestricted('user', 'whoever runs commands on the server sees every user')
    const users: Record<string, unknown>[] = []
    const context = { today: await readBusinessDate(sql, settings) }
    await streamRows(sql, { source: userRows, visible }, { $orderby: 'email' }, context, async (rows) => {
      users.push(...rows)
    })
    tell(
      options,
      users,
      users.map(({ email, userCode, userRole, disabled, fullName }) =>
        [email ?? userCode, userRole, disabled ? 'disabled' : 'active', fullName].join('\t'),
      ),
    )
  })
}

async function change(login: string, operation: string, input: UserChange): Promise<void> {
  await onDatabase(async (sql, settings) => {
    // Also finds users who may not sign in.
    const user = await findUserForLogin(sql, login)
    if (!user) throw new Error(`No user has the login ${login}. 'fordra user list' shows the users.`)
    const origin = await createOrigin(sql, settings, operation)
    const update = { userGuid: user.userId, input, ifMatch: undefined }
    await changeUser(sql, await actingAs(sql, undefined), update, {
      origin,
      countryCode: settings.FORDRA_COUNTRY,
    })
  })
}

async function onDatabase(work: (sql: Sql, settings: Settings) => Promise<void>): Promise<void> {
  const settings = loadSettings()
  const database = await openConfigured(settings, report, { beside: true })
  try {
    await work(database.sql, settings)
  } catch (error) {
    throw error instanceof ApiError ? new Error(describe(error)) : error
  } finally {
    await database.close()
  }
}

const describe = ({ message, errors = {} }: ApiError): string =>
  [message, ...Object.entries(errors).map(([name, texts]) => `  ${name} ${texts.join(' ')}`)].join('\n')

async function agencyCode(sql: Sql): Promise<string> {
  const [row] = await sql<{ code: string }[]>`
    select reference_code as code from party where parent_id is null order by id limit 1`
  if (row) return row.code
  throw new Error(
    'This database has no agency yet. Start the service once: it makes one with its first user.',
  )
}

/** Never from an argument, which every user of the machine can read. */
async function takePassword(options: UserOptions): Promise<{ password: string; made: boolean }> {
  if (!options.passwordStdin) return { password: randomBytes(15).toString('base64url'), made: true }
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new Error('Standard input is empty. Write the password to it.')
  return { password, made: false }
}

function tell({ json }: UserOptions, value: object, lines: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
}
