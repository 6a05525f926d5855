import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  consents,
  contactChannels,
  judgeContact,
  localTime,
  type ContactChannel,
  type ContactFacts,
  type ContactPerson,
  type ContactRules,
} from './contact.ts'

const person: ContactPerson = {
  timeZone: null,
  country: 'NO',
  hasProtectedIdentity: false,
  hasForwardingAddress: false,
  consent: {},
}
const adult: ContactFacts = {
  country: 'NO',
  isMinor: false,
  isDeceased: false,
  debtor: person,
  guardian: null,
  contacts: [],
}
const law: ContactRules = { perWeek: null, proposed: false }
const bill = { perWeek: null, proposed: true }

const ask = (
  facts: Partial<ContactFacts>,
  channel: ContactChannel,
  at: string,
  rules: ContactRules = law,
) => {
  const { allowed, reason, from, recipient } = judgeContact({ ...adult, ...facts }, { channel, at }, rules)
  return [allowed ? 'yes' : reason, recipient, from]
}

test('proposed hours apply only where the agency keeps to them, in the debtor’s own time zone', () => {
  // A Monday in summer, 06:30 UTC: 8:30 in Oslo, 7:30 in London.
  const early = '2026-06-15T06:30:00.000Z'
  const inLondon = { debtor: { ...person, country: 'GB' } }
  assert.deepEqual(ask(inLondon, 'telephone', early), ['yes', 'debtor', null])
  assert.deepEqual(ask({}, 'telephone', early, bill), ['yes', 'debtor', null])
  assert.deepEqual(ask(inLondon, 'telephone', early, bill), ['hours', 'debtor', '2026-06-15T07:00:00.000Z'])
  const own = { debtor: { ...person, timeZone: 'America/New_York' } }
  assert.deepEqual(ask(own, 'telephone', early, bill), ['hours', 'debtor', '2026-06-15T12:00:00.000Z'])
  // Saturday from 15, then Sunday; 17 May is a public holiday in Norway.
  assert.deepEqual(ask({}, 'telephone', '2026-06-13T13:00:00.000Z', bill), [
    'hours',
    'debtor',
    '2026-06-15T06:00:00.000Z',
  ])
  assert.deepEqual(ask({}, 'telephone', '2027-05-17T10:00:00.000Z', bill)[0], 'hours')
  // The clock goes forward on 29 March 2026.
  assert.deepEqual(ask({}, 'telephone', '2026-03-28T20:00:00.000Z', bill)[2], '2026-03-30T06:00:00.000Z')
  assert.deepEqual(ask({}, 'letter', '2026-06-13T23:00:00.000Z', bill), ['yes', 'debtor', null])
})

test('a minor’s guardian is addressed, by the guardian’s own consent; without one nobody is, nor for the dead', () => {
  const at = '2026-06-15T10:00:00.000Z'
  assert.deepEqual(ask({ isMinor: true }, 'email', at), ['minor', 'nobody', null])
  assert.deepEqual(ask({ isMinor: true, guardian: person }, 'email', at), ['yes', 'guardian', null])
  const refusing = { ...person, consent: { email: 'REFUSED' } } as const
  assert.deepEqual(ask({ isMinor: true, guardian: refusing }, 'email', at), ['optOut', 'guardian', null])
  assert.deepEqual(ask({ isMinor: true, debtor: refusing, guardian: person }, 'email', at)[0], 'yes')
  assert.deepEqual(ask({ isDeceased: true, guardian: person }, 'letter', at), ['deceased', 'nobody', null])
})

test('a protected identity leaves the forwarding authority, and the channels that the person agreed to', () => {
  const at = '2026-06-15T10:00:00.000Z'
  const secret = { ...person, hasProtectedIdentity: true }
  for (const channel of contactChannels)
    assert.equal(ask({ debtor: secret }, channel, at)[0], 'protectedIdentity')
  const reachable = { ...secret, hasForwardingAddress: true, consent: { telephone: 'GIVEN' } } as const
  assert.equal(ask({ debtor: reachable }, 'letter', at)[0], 'yes')
  assert.equal(ask({ debtor: reachable }, 'telephone', at)[0], 'yes')
  assert.equal(ask({ debtor: reachable }, 'sms', at)[0], 'protectedIdentity')
})

test('what is too often waits a week from the contact that used the last place', () => {
  const contacts = ['2026-06-10T10:00:00.000Z', '2026-06-12T10:00:00.000Z', '2026-06-01T10:00:00.000Z']
  const rules = { perWeek: 2, proposed: false }
  const at = '2026-06-15T10:00:00.000Z'
  assert.deepEqual(ask({ contacts }, 'sms', at, rules), ['frequency', 'debtor', '2026-06-17T10:00:00.000Z'])
  assert.deepEqual(ask({ contacts }, 'letter', at, rules), ['yes', 'debtor', null])
  assert.deepEqual(ask({ contacts }, 'sms', '2026-06-17T10:00:00.000Z', rules), ['yes', 'debtor', null])
})

const somePerson = fc.record({
  timeZone: fc.constantFrom(null, 'Europe/Oslo', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'),
  country: fc.constantFrom(null, 'NO', 'SE', 'GB'),
  hasProtectedIdentity: fc.boolean(),
  hasForwardingAddress: fc.boolean(),
  consent: fc.record(
    Object.fromEntries(
      contactChannels.slice(0, 3).map((channel) => [channel, fc.constantFrom(null, ...consents)]),
    ),
  ),
})
const somebody = fc.record({
  country: fc.constantFrom('NO', 'SE', null),
  isMinor: fc.boolean(),
  isDeceased: fc.boolean(),
  debtor: somePerson,
  guardian: fc.option(somePerson),
  contacts: fc.constant([] as string[]),
})
const year = Date.parse('2026-01-01T00:00:00Z')
const attempts = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 365 * 24 * 60 }),
    channel: fc.constantFrom(...contactChannels),
  }),
  { minLength: 10, maxLength: 60 },
)

/** The limits written a second time, without the engine. */
function checkContact(facts: ContactFacts, channel: ContactChannel, at: number): void {
  assert.ok(!facts.isDeceased)
  const to = facts.isMinor ? facts.guardian : facts.debtor
  assert.ok(to)
  assert.notEqual(to.consent[channel], 'REFUSED')
  if (to.hasProtectedIdentity)
    assert.ok(channel === 'letter' ? to.hasForwardingAddress : to.consent[channel] === 'GIVEN')
  if (facts.country === 'NO' && channel === 'telephone') {
    const zone =
      to.timeZone ??
      (to.country === 'GB' ? 'Europe/London' : to.country === 'SE' ? 'Europe/Stockholm' : 'Europe/Oslo')
    const [day, time] = localTime(zone, at).split('T') as [string, string]
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
    assert.ok(weekday !== 0 && time >= (weekday === 6 ? '09:00' : '08:00'), `${zone} ${day} ${time}`)
    assert.ok(time < (weekday === 6 ? '15:00' : '21:00'), `${zone} ${day} ${time}`)
    assert.ok(!['2026-01-01', '2026-05-01', '2026-05-17', '2026-12-25', '2026-12-26'].includes(day), day)
  }
}

/** `FORDRA_LAW_RUNS=100000` simulates as many debtors. */
test('of a simulated year of attempts none goes out beyond permission, and none that has a day is lost', () => {
  const numRuns = Number(process.env['FORDRA_LAW_RUNS'] ?? 400)
  const rules = { perWeek: 3, proposed: true }
  let sent = 0
  let held = 0
  fc.assert(
    fc.property(somebody, attempts, (one, tries) => {
      let facts: ContactFacts = one
      const queue = tries.map(({ at, channel }) => ({ at: year + at * 60_000, channel }))
      while (queue.length > 0) {
        queue.sort((a, b) => b.at - a.at)
        const { at, channel } = queue.pop()!
        const verdict = judgeContact(facts, { channel, at: new Date(at).toISOString() }, rules)
        if (verdict.allowed) {
          checkContact(facts, channel, at)
          sent++
          if (channel !== 'letter') {
            facts = { ...facts, contacts: [...facts.contacts, new Date(at).toISOString()] }
            const week = facts.contacts.filter((contact) => Date.parse(contact) > at - 7 * 86_400_000)
            assert.ok(week.length <= 3)
          }
        } else if (verdict.from !== null) {
          assert.ok(Date.parse(verdict.from) > at, 'a held message waits for a later time')
          held++
          queue.push({ at: Date.parse(verdict.from), channel })
        }
      }
    }),
    { numRuns },
  )
  assert.ok(sent > numRuns && held > numRuns / 8, `${sent} sent, ${held} held`)
})
