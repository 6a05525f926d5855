/** E-mails and user codes are the same name in every spelling: letter case, composition, ligatures and letter width. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { foldLogin } from '../../../core/identity/login.ts'
import { migrate, migrationsFolder } from '../../platform/database/schema/migrate.ts'
import { readSettings } from '../../platform/config.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { sendResetMessages } from '../users/password-reset.routes.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

const password = 'en lång mening som är hennes'
let number = 0
const aUser = () => {
  number += 1
  const email = `namn${number}@agency.example`
  return { partyReferenceCode: 'AGENCY', email, password, fullName: 'Eva Lind', userRole: 3 }
}
const create = (change: object) =>
  api.call<{ uniqueId: string; errors: Record<string, string[]> }>('POST', '/users', {
    body: { ...aUser(), ...change },
  })
const signIn = (login: string) =>
  api.call('POST', '/auth/login', { body: { login, password }, token: null }).then(({ status }) => status)
const toEmail = (name: string) => `${name}@agency.example`
const changeEmail = (guid: string, email: string) =>
  api.call('PUT', `/users/${guid}`, { body: { password: null, email } })

const spellings: [what: string, one: string, other: string][] = [
  ['ß and SS', 'straße', 'STRASSE'],
  ['ß and its capital', 'groß', 'GROẞ'],
  ['composed and decomposed letters', '\u00e5sa', 'A\u030aSA'],
  ['the letter and the sign Å', '\u00e5ngstrom', '\u212bngstrom'],
  ['full-width letters', 'eva.lind', '\uff25\uff36\uff21.lind'],
  ['ligatures', '\ufb01nn', 'FINN'],
  ['the Kelvin sign', 'kelvin', '\u212aelvin'],
  ['both small sigmas', 'σοφος', 'ΣΟΦΟΣ'],
  ['letters without a composed capital', '\u0390\u03b4\u03b1', '\u03aa\u0301\u0394\u0391'],
  // I is the capital of i and of the Turkish dotless ı, so all three are one letter.
  ['the dotless ı, which counts as i', 'kıllı', 'KILLI'],
]
for (const [what, one, other] of spellings) {
  test(`one userCode and e-mail, and the user signs in by either: ${what}`, async () => {
    const made = await create({ userCode: one, email: toEmail(one) })
    assert.equal(made.status, 201, made.text)
    for (const [member, value] of [
      ['userCode', other],
      ['email', toEmail(other)],
    ] as const) {
      const refused = await create({ [member]: value })
      assert.equal(refused.status, 409, refused.text)
      assert.deepEqual(Object.keys(refused.body.errors), [member])
      assert.equal(await signIn(value), 200, value)
    }
  })
}

test('the dotted capital İ is a letter of its own, as in the case folding of Unicode', async () => {
  assert.equal((await create({ userCode: 'İrem' })).status, 201)
  assert.equal((await create({ userCode: 'irem' })).status, 201)
  assert.equal((await create({ userCode: 'i\u0307rem' })).status, 409)
})

test('a name that looks like another is refused, and one of before stays when the user is changed otherwise', async () => {
  const refused = await create({ userCode: 'a\u0434min', email: 'ev\u0430@agency.example' })
  assert.equal(refused.status, 400, refused.text)
  assert.deepEqual(Object.keys(refused.body.errors).toSorted(), ['email', 'userCode'])
  assert.match(refused.body.errors['email']![0]!, /Latin and Cyrillic/)
  assert.equal((await create({ userCode: 'eva\u2060lind' })).status, 201, 'an unseen character is taken out')
  const { body: user } = await create({})
  assert.equal((await changeEmail(user.uniqueId, '\u0441\u043e\u0440\u0435@agency.example')).status, 400)
  const old = '\u0430nna@agency.example'
  await api.sql`update app_user set email = ${old} where id = ${user.uniqueId}`
  const changed = await api.call('PUT', `/users/${user.uniqueId}`, {
    body: { password: null, department: 'Legal', email: old },
  })
  assert.equal(changed.status, 200, changed.text)
})

test('updateUser refuses the name of another in another spelling, and allows a new spelling of its own', async () => {
  const first = await create({ email: 'weiß@agency.example' })
  const second = await create({})
  assert.equal((await changeEmail(second.body.uniqueId, 'WEISS@agency.example')).status, 409)
  assert.equal((await changeEmail(first.body.uniqueId, 'WEISS@agency.example')).status, 200)
})

test('of users with one name created at once, one is created and the others are refused', async () => {
  const names = ['groß.auf', 'GROSS.AUF', 'gro\u017fs.auf', '\uff27ross.auf']
  const answers = await Promise.all(names.map((userCode) => create({ userCode })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
})

test('a userCode with a full-width @ is refused as well', async () => {
  const refused = await create({ userCode: 'eva\uff20agency.example' })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['userCode']])
})

test('requestPasswordReset finds the user by another spelling, and writes to the stored address alone', async () => {
  const email = 'fußball@agency.example'
  await create({ email })
  const body = { login: 'FUSSBALL@AGENCY.EXAMPLE' }
  assert.equal((await api.call('POST', '/auth/password/forgot', { body, token: null })).status, 200)
  await sendResetMessages(api.sql, readSettings({}))
  const sent = await api.sql<{ recipient: string }[]>`
    select recipient from message where kind = 'password-reset'`
  assert.deepEqual(
    sent.map(({ recipient }) => recipient),
    [email],
  )
})

test('failures of an unknown login count together in every spelling, as those of a user do', async () => {
  const guess = (login: string) =>
    api.call('POST', '/auth/login', { body: { login, password: 'fel' }, token: null })
  for (const login of ['niemand.groß', 'NIEMAND.GROSS', 'niemand.gro\u017fs']) await guess(login)
  const counted = await api.sql<{ failures: number }[]>`select failures from login_failure`
  assert.deepEqual(
    counted.map(({ failures }) => failures),
    [3, 3],
  )
})

// They are folded too, but a database with an older ICU does not know the capitals that were added since.
const isLater = (code: number) => (code >= 0x1c80 && code < 0x1c90) || (code >= 0xa640 && code < 0xa800)

test('the service folds every Latin, Greek and Cyrillic letter as the database does', async () => {
  const letters = Array.from({ length: 0x10000 }, (_, code) => code)
    .filter((code) => !isLater(code))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter))
  const rows = await api.sql<{ letter: string; folded: string }[]>`
    select letter, folded_login(letter) as folded from unnest(${letters}::text[]) letter
    where folded_login(letter) <> letter`
  const folded = new Map(rows.map((row) => [row.letter, row.folded]))
  assert.ok(rows.length > 500)
  const different = letters.filter((letter) => foldLogin(letter) !== (folded.get(letter) ?? letter))
  assert.deepEqual(different, [])
  const again = rows.filter((row) => foldLogin(row.folded) !== row.folded)
  assert.deepEqual(again, [])
})

test('sign-in finds the user by the indexes', async () => {
  const plan = await api.sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`
    return tx<Record<string, string>[]>`
      explain select id from app_user
      where folded_login(email) = folded_login('x') or folded_login(user_code) = folded_login('x')`
  })
  const text = plan.flatMap((row) => Object.values(row)).join('\n')
  assert.match(text, /app_user_email/)
  assert.match(text, /app_user_user_code/)
})

test('the migration refuses names that are the same, and tells the GUIDs and what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fordra-names-'))
  const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted()
  const own = files.findIndex((name) => name.endsWith('-user-names.sql'))
  const take = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(join(migrationsFolder, name), join(folder, name))))
  await take(files.slice(0, own))
  const database = await openTestDatabase(folder)
  try {
    const guids = Array.from({ length: 5 }, (_, index) => `0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e7${index}`)
    const names = [
      ['straße@agency.example', 'a'],
      ['STRASSE@agency.example', 'b'],
      ['c@agency.example', '\ufb01nn'],
      ['d@agency.example', 'finn'],
      ['e@agency.example', null],
    ] as const
    await database.sql`insert into party (id, reference_code, name) values (${guids[0]!}, 'A', 'Agency')`
    for (const [index, [email, userCode]] of names.entries())
      await database.sql`
        insert into app_user (id, party_id, email, user_code, full_name, user_role)
        values (${guids[index]!}, ${guids[0]!}, ${email}, ${userCode}, 'Eva', 3)`
    await take(files.slice(own))
    const run = () => migrate(database.url, () => {}, folder)
    await assert.rejects(run(), ({ message }: Error) => {
      for (const guid of guids.slice(0, 4)) assert.ok(message.includes(guid), message)
      assert.ok(!message.includes(guids[4]!), message)
      assert.doesNotMatch(message, /agency\.example|finn|Eva/)
      assert.match(message, /e-mail .* userCode .*Give all but one .* another/s)
      return true
    })
    await database.sql`update app_user set email = 'b@agency.example' where id = ${guids[1]!}`
    await database.sql`update app_user set user_code = 'finn.d' where id = ${guids[3]!}`
    assert.ok((await run()).applied.includes(files[own]!))
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
})
