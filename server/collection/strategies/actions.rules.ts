/** Validates the actions of a step. Pure. */
import type { AccessCode } from '../../../contract/access/access.ts'
import { letterKinds } from '../../../contract/collection/documents.ts'
import {
  caseStatusCodes,
  caseStatuses,
  hasSubStatus,
  type OpenStatus,
} from '../../../core/cases/case-lifecycle.ts'
import { invokeDebtorService } from '../../../contract/integration/services.ts'
import type { StepAction } from '../../../core/cases/strategies.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { ApiError, type FieldErrors } from '../../platform/http/errors.ts'
import type { Check } from '../../platform/http/validation.ts'

/** A custom service that an action can call. */
export interface CallableService {
  code: string
  /** The access code required in addition to the one for invoking services. */
  access: AccessCode
  /** Throws a 400 that names each wrong member of the input. */
  checkInput: Check
}

/** The names that an action may refer to. */
export interface KnownNames {
  feeTypes: ReadonlySet<string>
  /** Custom services for debtors, by code. */
  services: ReadonlyMap<string, CallableService>
  /** Access codes by user, for the requested users that are not disabled. */
  users: ReadonlyMap<string, ReadonlySet<AccessCode>>
}

type Given = Record<string, unknown>
type Read = (given: Given, at: string, known: KnownNames, checks: FieldErrors) => StepAction | null

const kinds: Record<StepAction['kind'], { members: readonly string[]; read: Read }> = {
  fee: { members: ['feeType'], read: readFee },
  status: { members: ['status', 'subStatus'], read: readStatus },
  letter: { members: ['letter', 'dueDays'], read: readLetter },
  service: { members: ['service', 'userGuid', 'input'], read: readService },
  task: { members: ['task'], read: readTask },
}
const letters = letterKinds.filter((kind) => kind !== 'statement')
const dueDaysMax = 365
const inputMax = 2000
const taskMax = 200

/** Returns null for a wrong action and adds its errors to `checks`. */
export function readAction(
  given: Given,
  at: string,
  known: KnownNames,
  checks: FieldErrors,
): StepAction | null {
  const name = given['kind']
  if (typeof name !== 'string' || !Object.hasOwn(kinds, name)) {
    checks.add(`${at}.kind`, `must be one of ${Object.keys(kinds).join(', ')}.`)
    return null
  }
  const { members, read } = kinds[name as StepAction['kind']]
  for (const member of Object.keys(given)) {
    if (member !== 'kind' && !members.includes(member))
      checks.add(`${at}.${member}`, `is unknown: an action ${name} has ${members.join(', ')}.`)
  }
  return read(given, at, known, checks)
}

const trimText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function readFee(given: Given, at: string, { feeTypes }: KnownNames, checks: FieldErrors) {
  const feeType = trimText(given['feeType'])
  if (feeTypes.has(feeType)) return { kind: 'fee' as const, feeType }
  checks.add(`${at}.feeType`, 'must be a fee type of the lookup feetype, such as reminder.')
  return null
}

function readStatus(given: Given, at: string, _known: KnownNames, checks: FieldErrors) {
  const open = caseStatusCodes.filter((code): code is OpenStatus => code !== 'CLOSED')
  const status = open.find((code) => code === trimText(given['status']).toUpperCase())
  if (status === undefined) {
    checks.add(`${at}.status`, `must be one of ${open.join(', ')}.`)
    return null
  }
  const subStatuses = caseStatuses[status].subStatuses.filter((one) => one !== 'PAYMENT_PLAN')
  const subStatus = trimText(given['subStatus']).toUpperCase() || subStatuses[0]!
  if (hasSubStatus(status, subStatus) && subStatus !== 'PAYMENT_PLAN')
    return { kind: 'status' as const, status, subStatus }
  checks.add(`${at}.subStatus`, `must be a sub-status of ${status}: ${subStatuses.join(', ')}.`)
  return null
}

function readLetter(given: Given, at: string, _known: KnownNames, checks: FieldErrors) {
  const letter = letters.find((kind) => kind === given['letter'])
  if (letter === undefined) {
    checks.add(`${at}.letter`, `must be one of ${letters.join(', ')}.`)
    return null
  }
  const dueDays = given['dueDays'] ?? null
  if (dueDays === null) return { kind: 'letter' as const, letter }
  if (Number.isInteger(dueDays) && Number(dueDays) >= 1 && Number(dueDays) <= dueDaysMax)
    return { kind: 'letter' as const, letter, dueDays: Number(dueDays) }
  checks.add(
    `${at}.dueDays`,
    `must be whole days from 1 to ${dueDaysMax}. Leave it out for a letter without a deadline.`,
  )
  return null
}

function readService(given: Given, at: string, known: KnownNames, checks: FieldErrors) {
  const code = trimText(given['service'])
  const userGuid = trimText(given['userGuid']).toLowerCase()
  const input = given['input'] ?? {}
  const service = known.services.get(code)
  const codes = known.users.get(userGuid)
  if (!service)
    checks.add(
      `${at}.service`,
      `must be a custom service for debtors: ${[...known.services.keys()].join(', ') || 'this installation has none'}.`,
    )
  if (!codes)
    checks.add(
      `${at}.userGuid`,
      'must be the GUID of a user who is not disabled. The service runs with this user’s rights.',
    )
  else if (service) {
    const lacking = [...invokeDebtorService.access, service.access].filter((one) => !codes.has(one))
    if (lacking.length > 0)
      checks.add(
        `${at}.userGuid`,
        `must be a user who may call ${code}. This user lacks ${lacking.join(', ')}.`,
      )
  }
  if (typeof input !== 'object' || Array.isArray(input) || JSON.stringify(input).length > inputMax)
    checks.add(`${at}.input`, `must be an object of at most ${inputMax} characters.`)
  else if (service) checkInput(service, input, `${at}.input`, checks)
  return { kind: 'service' as const, service: code, userGuid, input: input as Record<string, unknown> }
}

function readTask(given: Given, at: string, _known: KnownNames, checks: FieldErrors) {
  const task = trimText(given['task'])
  if (task !== '' && task.length <= taskMax && !/\p{Cc}/u.test(task)) return { kind: 'task' as const, task }
  checks.add(`${at}.task`, `is required: say in one line of at most ${taskMax} characters what to do.`)
  return null
}

function checkInput(service: CallableService, input: object, at: string, checks: FieldErrors): void {
  try {
    service.checkInput(input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    for (const [path, messages] of Object.entries(error.errors ?? {}))
      for (const message of messages) checks.add(path === '' ? at : `${at}.${path}`, message)
  }
}

/** The guids of users named in actions, each once, whether they exist or not. */
export const namedUsers = (steps: readonly { actions: readonly Given[] }[]): string[] => {
  const given = steps.flatMap(({ actions }) =>
    actions.map(({ userGuid }) => trimText(userGuid).toLowerCase()),
  )
  return [...new Set(given.filter(isGuid))]
}
