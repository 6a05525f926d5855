import { locales, type Language } from '../../../contract/platform/languages.ts'
import { problems, type Problem, type ProblemKind } from '../../../contract/platform/problem.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { findFormats } from '../../../core/text/formats.ts'

/** Error messages by member path. */
export type MemberErrors = Record<string, string[]>

/** An expected failure. Its kind determines status and title; nothing else maps errors to answers. */
export class ApiError extends Error {
  readonly kind: ProblemKind
  readonly errors: MemberErrors | undefined
  /** Extra members of the problem details. */
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    kind: ProblemKind,
    detail: string,
    more: { errors?: MemberErrors; members?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.kind = kind
    this.errors = more.errors
    this.members = more.members ?? {}
    this.headers = more.headers ?? {}
  }
}

export const notFound = (what: string) =>
  new ApiError(
    'not-found',
    `There is no such ${what}, or it is outside what you may see. Check its identifier.`,
  )

/** A 400 about members of the request. */
export function invalid(errors: MemberErrors): ApiError {
  const [path, messages] = Object.entries(errors)[0]!
  const more = Object.keys(errors).length - 1
  const rest = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'member' : 'members'}, see errors)`
  return new ApiError('invalid', `${path === '' ? 'The body' : path} ${messages[0]}${rest}`, { errors })
}

/** Takes YYYY-MM-DD. Writes it as readers of the language do. */
export const writeDay = (day: string, language: Language): string => findFormats(locales[language]).day(day)

/** Collects the errors of a request's members, then throws them all at once. */
export class FieldErrors {
  readonly #errors: MemberErrors = {}
  readonly #language: Language | undefined

  /** The language of who reads the errors. None for a file, which has its own format. */
  constructor(language?: Language) {
    this.#language = language
  }

  /** Takes YYYY-MM-DD. Writes it as the reader does; unchanged for a file. */
  day(day: string): string {
    return this.#language === undefined ? day : writeDay(day, this.#language)
  }

  /** The same message for a member is kept once: several elements of a list can have one fault. */
  add(path: string, message: string): void {
    const messages = (this.#errors[path] ??= [])
    if (!messages.includes(message)) messages.push(message)
  }

  /** Takes minor units. With the currency. */
  money(minor: bigint, currency: string): string {
    if (this.#language !== undefined) return findFormats(locales[this.#language]).money(minor, currency)
    return `${formatMinor(minor, currency)} ${currency}`
  }

  get any(): boolean {
    return Object.keys(this.#errors).length > 0
  }

  throwIfAny(): void {
    if (this.any) throw invalid(this.#errors)
  }
}

/** The problem details of a failure. */
export function toProblem(error: ApiError, request: { path: string; id: string }): Problem {
  const [status, title] = problems[error.kind]
  return {
    type: `/problems/${error.kind}`,
    title,
    status,
    detail: error.message,
    instance: request.path,
    code: error.kind,
    traceId: request.id,
    ...(error.errors && { errors: error.errors }),
    ...error.members,
  }
}

/** The problem details of a success without business data. */
export const done = (detail: string, path: string): Problem => ({
  type: 'about:blank',
  title: 'OK',
  status: 200,
  detail,
  instance: path,
})
