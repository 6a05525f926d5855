import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordFault } from '../users/password.rules.ts'

const user = {
  email: 'eva.lindqvist@nordkraft.example',
  userCode: 'evalin',
  fullName: 'Eva Lindqvist',
  mfaType: 0,
}
const fault = (password: string, mfaType = 0) =>
  findPasswordFault(password, { ...user, mfaType }, 'Nordisk Inkasso AB')

const guessable = [
  '123456789012345',
  '987654321098765',
  'iloveyouiloveyou',
  'ILoveYouILoveYou',
  'passwordpassword',
  'passwordpassword1',
  'aaaaaaaaaaaaaaaa',
  'abababababababab',
  'abcabcabcabcabcabc',
  'abcdefghijklmnopq',
  'qwertyuiopasdfghjkl',
  '1qaz2wsx3edc4rfv',
  'qazwsxedcrfvtgb',
  'fordrafordrafordra',
  'fordra123456789',
  'nordiskinkassoab',
  'Nordisk Inkasso AB',
  'lindqvistlindqvist',
  'eva.lindqvist@nordkraft.example',
  'evalinevalinevalin',
  'nordkraft1234567',
  'nordiskinkasso2026',
  'letmeinletmein1',
  'lösenordlösenord',
  'evalin1001evalin1001',
  'summer2026summer',
  'sommar2026sommar',
  'Välkommen2026!!',
  'welcome123welcome',
  'hejhejhejhejhej1',
  'correct horse battery staple',
  'correcthorsebatterystaple',
  'thisisapassword',
  // Full-width digits.
  '\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\uff10\uff11\uff12\uff13\uff14\uff15',
]
for (const password of guessable) {
  test(`${password} is refused`, async () =>
    assert.match((await fault(password)) ?? 'accepted', /Choose another|easy to guess/))
}

const good = [
  'en lång mening som är min',
  'a passphrase of your own',
  'a horse that is always correct',
  'x7Kq-92mLpWz4vTb',
  'vi ses på Nordkraft klockan nio',
]
for (const password of good) {
  test(`${password} is accepted`, async () => assert.equal(await fault(password), null))
}

test('with a second factor eight different signs are enough', async () => {
  assert.equal(await fault('x7Kq92mL', 1), null)
  assert.match((await fault('evalin12', 1)) ?? '', /easy to guess/)
  assert.match((await fault('aaaaaaab', 1)) ?? '', /easy to guess/)
})
