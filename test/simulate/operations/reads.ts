/** Reads: every list and record of the contract, by everybody, and what restricted callers must not see. */
import { operations as contract } from '../../../contract/api.ts'
import type { Operation as ContractOperation } from '../../../contract/platform/operation.ts'
import type { Model } from '../model.ts'
import type { Random } from '../random.ts'
import { checkList } from '../checks/lists.ts'
import { assertNothingHidden, listHidden } from '../checks/restriction.ts'
import type { Operation } from './operation.ts'

/** Those that answer another way than with JSON, or later. */
const left = new Set([
  'finishOidc',
  'startOidc',
  'listSignInWays',
  'S8',
  'S9',
  'listEvents',
  'getStrategy',
  'getUserSettings',
])
const reads = contract.filter(
  ({ id, method }) => method === 'GET' && !left.has(id),
) as readonly ContractOperation[]
const lists = reads.filter(
  ({ path, query }) => !path.includes(':') && query && '$top' in (query as { properties: object }).properties,
)

const readsOfDebtor = reads.filter(({ path }) => path.includes(':debtorGuid'))

/** A value for each parameter of a path; a record of either side. */
function fillPath(path: string, model: Model, random: Random): string | undefined {
  const one = model.case(random)
  const debtor = one?.debtor ?? model.debtor(random)
  const known: Record<string, string | undefined> = {
    debtorGuid: debtor?.guid,
    caseGuid: one?.guid,
    addressGuid: random.pick(model.addresses.filter((address) => address.debtor === debtor))?.guid,
    paymentplanGuid: random.pick(model.plans.filter((plan) => plan.debtor === debtor))?.guid,
    name: 'employer',
    documentGuid: random.pick(model.documents),
    webhookGuid: random.pick(model.webhooks),
    jobId: random.pick(model.jobs),
    userGuid: random.pick(model.users)?.guid,
    paymentFileGuid: random.pick(model.paymentFiles),
    payoutBatchGuid: random.pick(model.payouts),
    fileGuid: random.pick(model.files),
    reportName: random.pick(['portfolio', 'collected', 'payments']),
  }
  let complete = true
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    if (known[name] === undefined) complete = false
    return known[name] ?? ''
  })
  return complete ? filled : undefined
}

const filters: Record<string, string[]> = {
  '/cases': [
    "status eq 'AMICABLE'",
    "status ne 'CLOSED'",
    'remainingPrincipal gt 100',
    "clientName eq 'Alfa AB'",
  ],
  '/debtors': ["city eq 'Lund'", "startswith(lastname,'Alfa')", "lastname ne 'x'"],
  '/payments': ['amount gt 50', 'amount lt 500'],
  '/paymentplans': ['active eq 1', 'active ne 1'],
  '/customers': ["startswith(name,'Changed')"],
  '/users': ['userRole eq 3', 'disabled eq false'],
  '/jobs': ["status eq 'completed'"],
  '/audit': ["entity eq 'case'"],
}

/** What operations add to most. */
const growing = new Set(['/cases', '/debtors'])

export const reads_: Operation[] = [
  {
    name: 'list',
    weight: 10,
    run: async ({ client, model, random, simulation }) => {
      const { path, id } = random.pick(
        lists.filter(
          ({ path: one }) =>
            (growing.has(one) || random.chance(0.4)) && (filters[one] || random.chance(0.25)),
        ),
      )
      const filter =
        filters[path] && random.chance(0.7)
          ? `&$filter=${encodeURIComponent(random.pick(filters[path]))}`
          : ''
      const { admin, restricted, creditor } = simulation.fixture.tokens
      const token = random.pick([admin, admin, restricted, creditor])
      // Once more a little later: what was remembered of the first may be outdated. A page that its list fills needs it.
      for (let times = 1 + random.below(3); times > 0; times--) {
        const address = `${path}?$top=${random.pick([1, 2, 100])}${filter}`
        const answer = await client.send(id, address, { token })
        if (answer?.status === 200) model.listed.push({ name: id, address, token })
        checkList(simulation, `${id} ${address}`, answer)
        await simulation.scheduler.sleep()
      }
    },
  },
  {
    name: 'restricted read',
    weight: 9,
    run: async ({ client, model, random, simulation }) => {
      const { restricted, creditor } = simulation.fixture.tokens
      for (let times = 0; times < 3; times++) {
        // Lists show the most at once, and of a debtor who owes several clients only a part is shown.
        const { id, path } = random.pick(random.pick([lists, reads, readsOfDebtor]))
        const filled = fillPath(path, model, random)
        if (filled === undefined) continue
        const hidden = await listHidden(simulation)
        const query = lists.some((one) => one.id === id) ? '?$top=100' : id === 'searchItems' ? '?q=son' : ''
        const token = random.pick([restricted, creditor])
        const answer = await client.send(id, filled + query, { token })
        await assertNothingHidden(simulation, `${id} ${filled}`, answer, hidden)
        checkList(simulation, `${id} ${filled}${query}`, answer)
      }
    },
  },
  {
    name: 'restricted lookup',
    weight: 2,
    run: async ({ client, random, simulation }) => {
      const hidden = await listHidden(simulation)
      const code = random.pick(['client', 'debtor', 'customer', 'case', 'party'])
      const answer = await client.send('lookup', `/system/lookups/${code}`, {
        method: 'POST',
        body: { searchStr: random.pick(['', 'Hem', 'son']) },
        token: simulation.fixture.tokens.restricted,
        audited: 'never',
      })
      await assertNothingHidden(simulation, `lookup ${code}`, answer, hidden)
    },
  },
  {
    name: 'restricted events',
    weight: 3,
    run: async ({ client, random, simulation }) => {
      const { restricted, creditor } = simulation.fixture.tokens
      const token = random.pick([restricted, creditor])
      const hidden = await listHidden(simulation)
      const answer = await client.send('listEvents', '/events?after=0&limit=500&wait=0', { token })
      await assertNothingHidden(simulation, 'the event feed', answer, hidden)
    },
  },
  {
    name: 'restricted write',
    weight: 3,
    needs: ({ model }) => model.cases.some(({ side }) => side === 'hidden'),
    run: async ({ client, model, random, simulation }) => {
      const one = random.pick(model.cases.filter(({ side }) => side === 'hidden'))
      const token = random.pick([simulation.fixture.tokens.restricted, simulation.fixture.tokens.creditor])
      const [path, method, body] = random.pick<[string, 'POST' | 'PATCH', object]>([
        [`/debtors/${one.debtor.guid}`, 'PATCH', { homePhone: '+46701234567' }],
        [`/debtors/${one.debtor.guid}/addresses`, 'POST', { addressType: 'LEGAL', street: 'x', city: 'y' }],
        ['/system/forms/payment/register', 'POST', { caseGuid: one.guid, amount: 5, currencyCode: 'SEK' }],
        [`/system/forms/fee/add?id=${one.guid}`, 'POST', { feeType: 'reminder', amount: 5 }],
        [`/system/forms/case/hold?id=${one.guid}`, 'PATCH', { reason: 'HOLD_DISPUTE' }],
        [`/system/forms/case/close?id=${one.guid}`, 'PATCH', { closureCode: 'OTHER' }],
        [
          `/debtors/${one.debtor.guid}/paymentplans`,
          'POST',
          { paymentPlanType: 1, numberOfPayments: 2, active: 2 },
        ],
        [`/debtors/${one.debtor.guid}/services/address-check`, 'POST', {}],
        [`/system/forms/note/create?id=${one.debtor.guid}`, 'POST', { text: 'x' }],
      ])
      const answer = await client.send('restrictedWrite', path, { method, body, token })
      // A debtor may have got a case of the open client meanwhile.
      const about = `${path} ${JSON.stringify(body)}`.includes(one.guid) ? one.guid : one.debtor.guid
      if (answer && answer.status < 400 && (await listHidden(simulation)).includes(about))
        simulation.fail(`A restricted user's ${method} ${path} was answered ${answer.status}.`)
    },
  },
  {
    name: 'follow events',
    weight: 5,
    run: ({ client, random, simulation }) => simulation.follower.poll(client, random),
  },
]
export { reads_ as reads }
