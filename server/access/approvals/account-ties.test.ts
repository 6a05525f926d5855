/** Nobody is the second person for themselves by an account that they made, or gave its rights. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { ApprovalDetail } from '../../../contract/access/approvals.ts'
import type { CreatedUser } from '../../../contract/access/users.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { openCases, type OpenedCases } from '../../testing/records/cases.ts'
import { callScim } from '../scim/directory-for-tests.ts'
import { startSession } from '../sessions/sessions.ts'

let api: TestApi
let cases: OpenedCases
/** An administrator above whose limit two people are needed. */
let requester: Person
let other: Person
before(async () => {
  api = await startApi({
    FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
    FORDRA_MAIL_FROM: 'inkasso@agency.example',
    FORDRA_PUBLIC_URL: 'https://inkasso.example',
  })
  cases = await openCases(api)
  requester = await addPerson(api, 2)
  other = await addPerson(api, 2)
})
after(() => api.close())
beforeEach(async () => {
  await clearLimits(api)
  await setLimit(api, 'WRITE_OFF', 1000, { userRole: 2 })
})

/** A request of the requester's that waits. */
async function wait(who = requester, amount = 4000): Promise<string> {
  const { caseGuid } = await cases.register({ principal: 10_000 })
  return requestAct(who, { act: 'WRITE_OFF', caseGuid, input: { amount } })
}
const approve = async (who: Person, from = requester) => approveAct(who, await wait(from))

async function signIn(userGuid: string): Promise<Person> {
  const { tokens } = await startSession(api.sql, userGuid)
  return {
    userGuid,
    call: (method, path, options) => api.call(method, path, { token: tokens.accessToken, ...options }),
  }
}

let made = 0
/** createUser */
async function makeAccount(by: Person, more: object = {}): Promise<CreatedUser> {
  const answer = await by.call<CreatedUser>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `account${++made}@agency.example`,
      fullName: 'Account',
      userRole: 2,
      password: 'en lång mening som är min',
      ...more,
    },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
/** updateUser */
async function change({ userGuid }: Person, by: Person, body: object): Promise<void> {
  const { status, text } = await by.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })
  assert.equal(status, 200, text)
}
async function makeGroup(by: Person, accessCodes: string): Promise<{ code: string; guid: string }> {
  const body = { code: `G${++made}`, name: 'Group', accessCodes }
  const answer = await by.call<{ accessGroupGuid: string }>('POST', '/system/forms/accessgroup/create', {
    body,
  })
  assert.equal(answer.status, 201, answer.text)
  return { code: body.code, guid: answer.body.accessGroupGuid }
}
const widen = (by: Person, guid: string, accessCodes: string) =>
  by.call('PATCH', `/system/forms/accessgroup/edit?id=${guid}`, { body: { accessCodes } })

const assertTied = (answer: Response<ApprovalDetail>, why: RegExp) => {
  assertProblem(answer, 'forbidden', why)
  assert.match(answer.text, /Somebody else approves it/)
}

test('an account that the requester made does not approve; one of somebody else does', async () => {
  const own = await signIn((await makeAccount(requester)).uniqueId)
  const guid = await wait()
  assertTied(await approveAct(own, guid), /whoever requested it created your account/)
  const approved = await approveAct(other, guid)
  assert.equal(approved.status, 200, approved.text)
})

test('an account made by an account of the requester does not approve', async () => {
  const own = await signIn((await makeAccount(requester)).uniqueId)
  const further = await signIn((await makeAccount(own)).uniqueId)
  assertTied(await approve(further), /set up the account that created your account/)
})

for (const [what, body, why] of [
  ['role', { userRole: 1 }, /set the role of your account/],
  ['password', { password: 'en annan mening som är lång' }, /set the password of your account/],
  ['e-mail address', { email: 'moved@agency.example' }, /changed the e-mail address of your account/],
] as const)
  test(`an account whose ${what} the requester set does not approve`, async () => {
    const person = await addPerson(api, 2)
    await change(person, requester, body)
    // A new password ends the sessions.
    assertTied(await approve(await signIn(person.userGuid)), why)
  })

test('an account that the requester enabled does not approve', async () => {
  const person = await addPerson(api, 2)
  await change(person, other, { disabled: true })
  await change(person, requester, { disabled: false })
  assertTied(await approve(await signIn(person.userGuid)), /enabled your account/)
})

test('an account that the requester put into a group does not approve; leaving one ties nobody', async () => {
  const [person, kept] = [await addPerson(api, 2), await addPerson(api, 2)]
  const { code } = await makeGroup(requester, 'case.write')
  await change(person, requester, { accessGroups: [code] })
  assertTied(await approve(person), /gave an access group to your account/)
  await change(kept, requester, { accessGroups: [] })
  assert.equal((await approve(kept)).status, 200)
})

test('whose group the requester gave access codes does not approve; codes of before the membership tie nobody', async () => {
  const [person, later] = [await addPerson(api, 2), await addPerson(api, 2)]
  const { code, guid } = await makeGroup(other, 'case.read')
  await change(person, other, { accessGroups: [code] })
  assert.equal((await widen(requester, guid, 'case.read,case.write')).status, 200)
  await change(later, other, { accessGroups: [code] })
  assertTied(await approve(person), /gave access codes to a group of your account/)
  assert.equal((await approve(later)).status, 200)
})

test('a person whom the requester invited again does not approve', async () => {
  const { uniqueId } = await makeAccount(other, { invite: true, password: undefined })
  const invited = await requester.call('POST', `/users/${uniqueId}/invitation`)
  assert.equal(invited.status, 200, invited.text)
  assertTied(await approve(await signIn(uniqueId)), /invited your account/)
})

/** A user whom a directory makes. */
async function provision(secret: string): Promise<Person> {
  const userName = `provisioned${++made}@agency.example`
  const { status, body, text } = await callScim(
    `${api.address}/Users`,
    'POST',
    { userName, roles: [{ value: '2' }] },
    { authorization: `Bearer ${secret}` },
  )
  assert.equal(status, 201, text)
  return signIn(body['id'] as string)
}

test('a person from a directory that the requester set up does not approve', async () => {
  const directory = { apiUser: true, password: undefined }
  const own = await makeAccount(requester, directory)
  const expected = /set up the account that created your account/
  assertTied(await approve(await provision(own.clientSecret!)), expected)
  const { uniqueId, clientSecret } = await makeAccount(other, directory)
  const earlier = await provision(clientSecret!)
  const secret = await requester.call<{ clientSecret: string }>('POST', `/users/${uniqueId}/secrets`)
  assert.equal(secret.status, 201, secret.text)
  assertTied(await approve(await provision(secret.body.clientSecret)), expected)
  assert.equal((await approve(earlier)).status, 200, 'made before the requester had a secret')
})

test('an API user approves nothing, whoever made it', async () => {
  const { uniqueId } = await makeAccount(other, { apiUser: true, password: undefined })
  assertProblem(await approve(await signIn(uniqueId)), 'forbidden', /A person approves it/)
})

test('who made the requester’s account approves what they may do alone anyhow, and nothing more', async () => {
  const handler = await signIn((await makeAccount(other, { userRole: 3 })).uniqueId)
  await setLimit(api, 'WRITE_OFF', 100)
  assert.equal((await approveAct(other, await wait(handler, 1000))).status, 200)
  const guid = await wait(handler, 1000.01)
  assertTied(
    await approveAct(other, guid),
    /you created the account that requested it, and the act is above the limit of your own role/,
  )
  assert.equal((await approveAct(requester, guid)).status, 200, 'whoever has no part in the account')
})
