/** A month and a half of contacts, drawn anew each time. The whole year is `npm run contact-year`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFaults, runYear } from './year.ts'

const seed = Number(process.env['FORDRA_CONTACT_SEED'] ?? Math.ceil(Math.random() * 1_000_000))

test(`no debtor is contacted without permission (FORDRA_CONTACT_SEED=${seed})`, async () => {
  const year = await runYear({ debtors: 100, days: 40, seed })
  try {
    assert.deepEqual(year.faults, [])
    const { email, letter, telephone } = year.contacts
    assert.ok(email > 50 && letter > 50 && telephone > 5, JSON.stringify(year.contacts))
    assert.ok(year.callsNotMade > 0 && Object.keys(year.held).length > 0)
  } finally {
    await year.close()
  }
})

const permitAll = ({ recipient }: { recipient: string }) => Promise.resolve({ recipient })

test('the judge finds what leaves without being asked for', async () => {
  const year = await runYear({ debtors: 200, days: 30, seed: 1, gate: permitAll })
  try {
    const rules = describeFaults(year.faults).map(([rule]) => rule)
    for (const rule of [
      /The channel was refused/,
      /A protected identity gave no consent/,
      /More contacts within seven days/,
      /It went to/,
    ])
      assert.match(rules.join('\n'), rule)
  } finally {
    await year.close()
  }
})
