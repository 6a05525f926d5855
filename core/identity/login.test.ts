/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLoginFault } from './login.ts'

const fine = [
  'eva.lind@agency.example',
  'åsa.öberg@bolag.se',
  'straße@köln.de',
  'eva',
  '4711',
  'σοφος',
  'ΐοτα',
  'юлия@почта.рф',
  'юлия@agency.example',
  'שרה',
  'فاطمة@example.com',
  '田中たろう',
  '김철수kim',
  'Ｅｖａ',
  'nº7',
]
for (const login of fine)
  test(`${login} is no look-alike`, () => assert.equal(findLoginFault(login), undefined))

const faults: [login: string, fault: RegExp][] = [
  // The second letter is Cyrillic.
  ['p\u0430ypal@agency.example', /Latin and Cyrillic/],
  ['anna@\u0430gency.example', /Latin and Cyrillic/],
  ['\u03bfla@agency.example', /Latin and Greek/],
  ['ad\u0561m', /Latin and Armenian/],
  ['\u10d0nna', /Latin and Georgian/],
  ['юлия\u03bf', /Greek and Cyrillic/],
  ['eva\ua4f2', /Latin and another/],
  // Cyrillic alone, and it looks like "cope" and "ANNA" would.
  ['\u0441\u043e\u0440\u0435', /look like Latin/],
  ['\u0410\u041d\u041d\u0410', /look like Latin/],
  ['\u0430\u0440\u0440\u0435\u0430\u0440@agency.example', /look like Latin/],
  ['eva\u200blind', /not seen/],
  ['eva\u202enil', /not seen/],
  ['eva\u2066lind', /not seen/],
  ['eva\u00adlind', /not seen/],
  ['eva\u034flind', /not seen/],
  ['eva\u3164', /not seen/],
  ['eva\ufe0f', /not seen/],
  ['eva\u0007', /not seen/],
  ['eva\u{e0041}', /not seen/],
]
for (const [login, fault] of faults)
  test(`${JSON.stringify(login)} is a look-alike`, () => assert.match(findLoginFault(login) ?? '', fault))
