/** Debtors and what belongs to them. */
import { Client } from '../client.ts'
import type { KnownDebtor, Side } from '../model.ts'
import { createRandom } from '../random.ts'
import { formPath, isDone, readText, type Operation, type Run } from './operation.ts'

const names = ['Ek', 'Berg', 'Lind', 'Öberg', 'Ågren']
const cities = ['Malmö', 'Lund', 'Ystad']
/** The numbers of further clients of one operation. */
const manyFrom = 20_000

export const inventName = (side: Side, number: number) =>
  `${side === 'hidden' ? 'Hemligsson' : 'Alfasson'}${number}`

export async function createDebtor({
  client,
  model,
  random,
  number,
  simulation,
}: Run): Promise<KnownDebtor | undefined> {
  const side: Side = random.chance(0.35) ? 'hidden' : 'open'
  const telling = `canary-${simulation.seed}-${number}-${random.below(1e9)}`
  const made = await client.send('createDebtor', '/debtors', {
    method: 'POST',
    token: random.pick([simulation.fixture.tokens.admin, simulation.fixture.tokens.handler]),
    body: {
      firstname: random.pick(names),
      lastname: inventName(side, number),
      street: 'Storgatan',
      houseNo: String(1 + random.below(50)),
      zipCode: '211 42',
      city: random.pick(cities),
      email: `${telling}@example.com`,
      languageCode: 'sv',
    },
    audited: 'always',
  })
  if (!isDone(made)) return undefined
  const debtor = { guid: readText(made, 'debtorGuid'), side, telling: [telling] }
  model.debtors.push(debtor)
  return debtor
}

const hasDebtor: Operation['needs'] = ({ model }) => model.debtors.length > 0

export const people: Operation[] = [
  { name: 'create debtor', weight: 5, run: async (run) => void (await createDebtor(run)) },
  {
    name: 'change debtor',
    weight: 6,
    needs: hasDebtor,
    run: async ({ client, model, random, number }) => {
      const { guid } = model.debtor(random)!
      let ifMatch: string | undefined
      if (random.chance(0.6)) ifMatch = (await client.send('getDebtor', `/debtors/${guid}`))?.etag
      await client.send('changeDebtor', `/debtors/${guid}`, {
        method: 'PATCH',
        body: { [random.pick(['cellularPhone', 'homePhone'])]: `+4670${1_000_000 + number * 7}` },
        ifMatch,
        audited: 'always',
      })
    },
  },
  {
    // The node writes them in batches, of which some lose against each other. Each is of another user: one alone would wait.
    name: 'change debtors at once',
    weight: 2,
    needs: hasDebtor,
    run: async ({ simulation, model, random, number }) => {
      const known = model.debtors.slice(-2)
      const change = (token: string, place: number) => {
        const client = new Client(simulation, number + place * manyFrom, createRandom(number, place))
        return client.send('changeDebtor', `/debtors/${random.pick(known).guid}`, {
          method: 'PATCH',
          token,
          body: { workPhone: `+4640${200_000 + number * 10 + place}` },
          audited: 'always',
        })
      }
      await Promise.all(simulation.fixture.crowd.map((token, at) => change(token, at + 1)))
    },
  },
  {
    name: 'delete debtor',
    weight: 2,
    needs: hasDebtor,
    run: async ({ client, model, random }) => {
      const busy = new Set(model.cases.map(({ debtor }) => debtor))
      const debtor = random.pick(model.debtors.filter((one) => !busy.has(one)))
      if (!debtor) return
      const path = formPath('debtor', 'edit', { id: debtor.guid })
      const gone = await client.send('deleteDebtor', path, { method: 'DELETE', audited: 'always' })
      const at = model.debtors.indexOf(debtor)
      if (isDone(gone) && at >= 0) model.debtors.splice(at, 1)
    },
  },
  {
    name: 'add address',
    weight: 3,
    needs: hasDebtor,
    run: async ({ client, model, random, number }) => {
      const debtor = model.debtor(random)!
      const made = await client.send('addAddress', `/debtors/${debtor.guid}/addresses`, {
        method: 'POST',
        body: {
          addressType: random.pick(['LEGAL', 'POSTAL', 'VISITING']),
          street: `Kungsgatan ${number}`,
          zipCode: '111 43',
          city: random.pick(cities),
          countryCode: 'SE',
          defaultAddress: random.chance(0.5),
          validFrom: '2026-01-01',
        },
      })
      if (isDone(made)) model.addresses.push({ guid: readText(made, 'addressGuid'), debtor })
    },
  },
  {
    name: 'change address',
    weight: 2,
    needs: ({ model }) => model.addresses.length > 0,
    run: async ({ client, model, random, number }) => {
      const { guid, debtor } = random.pick(model.addresses)
      const path = `/debtors/${debtor.guid}/addresses/${guid}`
      const ifMatch = random.chance(0.5) ? (await client.send('getAddress', path))?.etag : undefined
      await client.send('changeAddress', path, {
        method: 'PATCH',
        body: { houseNo: String(number) },
        ifMatch,
      })
    },
  },
  {
    name: 'delete address',
    weight: 1,
    needs: ({ model }) => model.addresses.length > 0,
    run: async ({ client, model, random }) => {
      const { guid, debtor } = random.pick(model.addresses)
      await client.send('deleteAddress', `/debtors/${debtor.guid}/addresses/${guid}`, {
        method: 'DELETE',
        audited: 'always',
      })
    },
  },
  {
    name: 'extra field',
    weight: 2,
    needs: hasDebtor,
    run: async ({ client, model, random, number }) => {
      const debtor = model.debtor(random)!
      const name = random.pick(['employer', 'pet', 'boat'])
      const path = `/debtors/${debtor.guid}/extrafields`
      const value = [`value ${number}`]
      const made = await client.send('addExtraField', path, { method: 'POST', body: { name, value } })
      if (isDone(made)) model.extraFields.push({ name, debtor })
      if (random.chance(0.5))
        await client.send('changeExtraField', `${path}/${name}`, { method: 'PATCH', body: { value } })
      if (random.chance(0.3))
        await client.send('deleteExtraField', `${path}/${name}`, { method: 'DELETE', audited: 'always' })
    },
  },
  {
    name: 'note',
    weight: 2,
    needs: hasDebtor,
    run: async ({ client, model, random, number, simulation }) => {
      const debtor = model.debtor(random)!
      const one = random.pick(model.cases.filter((known) => known.debtor === debtor))
      const about = random.chance(0.5) && one ? one.guid : debtor.guid
      const telling = `remark-${simulation.seed}-${number}-${random.below(1e9)}`
      const path = formPath('note', 'create', { id: about })
      const made = await client.send('createNote', path, {
        method: 'POST',
        body: { text: `He said ${telling}` },
        audited: 'always',
      })
      if (!isDone(made)) return
      debtor.telling.push(telling)
      if (about !== debtor.guid) return
      model.notes.push({ guid: readText(made, 'noteGuid'), debtor })
      if (random.chance(0.3)) {
        const note = { id: debtor.guid, subId: readText(made, 'noteGuid') }
        await client.send('changeNote', formPath('note', 'edit', note), {
          method: 'PATCH',
          body: { text: `changed ${number}` },
        })
      }
    },
  },
  {
    name: 'debtor form',
    weight: 2,
    needs: hasDebtor,
    run: async ({ client, model, random, number }) => {
      const { guid } = model.debtor(random)!
      const path = formPath('debtor', 'edit', { id: guid, initialValues: 'true' })
      const read = await client.send('readDebtorForm', path)
      await client.send('storeDebtorForm', formPath('debtor', 'edit', { id: guid }), {
        method: 'PATCH',
        body: { workPhone: `+4640${100_000 + number}` },
        ifMatch: random.chance(0.7) ? read?.etag : undefined,
      })
    },
  },
  {
    name: 'client record',
    weight: 2,
    run: async ({ client, model, random, number, simulation }) => {
      const side: Side = random.chance(0.4) ? 'hidden' : 'open'
      const made = await client.send('createCustomer', formPath('customer', 'create'), {
        method: 'POST',
        body: {
          clientGuid: simulation.fixture.clients[side],
          customerNumber: `K-${number}`,
          name: inventName(side, number),
        },
        audited: 'always',
      })
      if (isDone(made)) model.holdings.push({ guid: readText(made, 'customerGuid'), entity: 'customer' })
      const known = random.pick(model.holdings)
      if (!known || random.chance(0.5)) return
      const path = formPath('customer', 'edit', { id: known.guid })
      if (random.chance(0.7))
        await client.send('changeCustomer', path, { method: 'PATCH', body: { name: `Changed ${number}` } })
      else await client.send('deleteCustomer', path, { method: 'DELETE', audited: 'always' })
    },
  },
]
