import assert from 'node:assert/strict'
import { problems, type ProblemKind } from '../../contract/platform/problem.ts'

/** What an answer must never hold: statements, stack frames, names of files, tables and of what runs inside. */
const innards =
  /\bselect\b.*\bfrom\b|insert into|update \w+ set|delete from|\n\s+at |node_modules|\.[cm]?[jt]s\b|file:|app_user|session_token|pg_|postgres|SQLSTATE|fastify|FST_|ajv|undefined|\[object|cannot read|is not a function|unexpected token/i

/** The answer is problem details of that kind, says what would be right, and shows nothing of the inside. */
export function assertProblem(
  answer: { status: number; text: string },
  kind: ProblemKind,
  says: RegExp,
  about = '',
): void {
  const body = JSON.parse(answer.text) as Record<string, unknown>
  const [status, title] = problems[kind]
  const seen = `${about}: ${answer.text.slice(0, 400)}`
  assert.equal(answer.status, status, seen)
  assert.deepEqual([body['status'], body['code'], body['title']], [status, kind, title], seen)
  assert.equal(body['type'], `/problems/${kind}`)
  assert.equal(typeof body['traceId'], 'string')
  assert.ok(answer.text.length < 20_000, `a short answer, not ${answer.text.length} characters`)
  const { instance: _given, ...said } = body
  assert.match(JSON.stringify([said['detail'], said['errors']]), says, seen)
  assert.doesNotMatch(JSON.stringify(said), innards, seen)
}
