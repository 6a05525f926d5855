/** What administrators do: jobs, the business date, webhooks, users, sessions, files, settings. */
import { password } from '../laboratory.ts'
import type { KnownDebtor, KnownUser } from '../model.ts'
import { dayText, formPath, isDone, nextEdge, readText, type Operation, type Run } from './operation.ts'

const commands: [string, string[]][] = [
  ['accrue-interest', []],
  ['apply-strategies', []],
  ['check-payment-plans', []],
  ['verify-ledger', []],
  ['retry-jobs', []],
  ['law-review', []],
  ['purge-expired', []],
  ['rebuild-search', []],
]

export async function makeUser(
  { client, model, number }: Run,
  more: object = {},
): Promise<KnownUser | undefined> {
  const login = `person${number}@agency.example`
  const body = {
    partyReferenceCode: 'AGENCY',
    email: login,
    password,
    fullName: `Person ${number}`,
    userRole: 3,
    ...more,
  }
  const made = await client.send('createUser', '/users', { method: 'POST', body, audited: 'always' })
  if (!isDone(made)) return undefined
  const user = { guid: readText(made, 'uniqueId'), login, password, tokens: [] }
  model.users.push(user)
  return user
}

export async function signIn({ client, model }: Run, user: KnownUser) {
  const body = { login: user.login, password: user.password }
  const answer = await client.send('login', '/auth/login', {
    method: 'POST',
    body,
    token: null,
    audited: 'never',
  })
  if (!isDone(answer) || typeof answer.body['accessToken'] !== 'string') return undefined
  const session = { token: readText(answer, 'accessToken'), refresh: readText(answer, 'refreshToken'), user }
  model.secrets.add(session.token).add(session.refresh)
  model.sessions.push(session)
  return session
}

/** A few requests, so that most nodes know the token. */
export async function useEverywhere({ client }: Run, token: string): Promise<void> {
  for (let times = 0; times < 4; times++) await client.send('useSession', '/users/current', { token })
}

/** A session that ended is refused everywhere, at the latest a second later. */
async function assertEnded({ simulation, client }: Run, token: string, why: string): Promise<void> {
  await simulation.scheduler.moveClock(1_500)
  for (let tries = 0; tries < 3; tries++) {
    const answer = await client.send('useEnded', '/users/current', { token })
    if (answer && answer.status !== 401)
      simulation.fail(`After ${why} a token was answered ${answer.status}.`)
  }
}

/** Longer than any country keeps the books of a closed case. */
const yearsOfDays = 4_100

async function erase({ client, model, random }: Run, debtor: KnownDebtor): Promise<void> {
  const byService = random.chance(0.3)
  const path = byService ? 'services/personal-data-erasure' : 'erasures'
  // What is stored while it runs may stay.
  const telling = [...debtor.telling]
  const erased = await client.send('erase', `/debtors/${debtor.guid}/${path}`, { method: 'POST', body: {} })
  if (!byService && isDone(erased)) model.erased.push(...telling)
}

export const system: Operation[] = [
  {
    name: 'command',
    weight: 5,
    run: async ({ client, model, random }) => {
      const [command, argument] = random.pick(commands)
      const asked = await client.send('command', `/system/commands/${command}`, {
        method: 'POST',
        body: { argument },
      })
      if (isDone(asked) && typeof asked.body['jobId'] === 'string') model.jobs.push(readText(asked, 'jobId'))
    },
  },
  {
    name: 'day end',
    weight: 1,
    run: async ({ client, model }) => {
      const asked = await client.send('command', '/system/commands/day-end', {
        method: 'POST',
        body: { argument: [dayText(model.day)] },
      })
      if (isDone(asked) && typeof asked.body['jobId'] === 'string') model.jobs.push(readText(asked, 'jobId'))
    },
  },
  {
    name: 'job',
    weight: 3,
    needs: ({ model }) => model.jobs.length > 0,
    run: async ({ client, model, random }) => {
      const id = random.pick(model.jobs)
      const what = random.pick(['cancel', 'retry', 'look'])
      if (what === 'cancel') await client.send('cancelJob', `/jobs/${id}/cancel`, { method: 'POST' })
      else if (what === 'retry') await client.send('retryJob', `/jobs/${id}/retry`, { method: 'POST' })
      else await client.send('getJob', `/jobs/${id}`)
    },
  },
  {
    name: 'roll the date',
    weight: 3,
    run: async ({ client, model, random }) => {
      model.day = random.chance(0.15) ? nextEdge(model.day) : model.day + random.pick([1, 1, 7, 31])
      await client.send('setDate', '/system/systemdate', {
        method: 'PUT',
        body: { systemDate: dayText(model.day) },
        audited: 'perhaps',
      })
    },
  },
  {
    name: 'service',
    weight: 5,
    needs: ({ model }) => model.debtors.length > 0,
    run: async ({ client, model, random }) => {
      const debtor = model.debtor(random)!
      const name = random.pick(['address-check', 'statement-of-account', 'personal-data-export'])
      const query = random.chance(0.6) ? '?async=true' : ''
      const answer = await client.send('debtorService', `/debtors/${debtor.guid}/services/${name}${query}`, {
        method: 'POST',
        body: {},
      })
      if (answer?.status === 202 && typeof answer.body['jobId'] === 'string')
        model.jobs.push(readText(answer, 'jobId'))
    },
  },
  {
    name: 'global service',
    weight: 2,
    run: async ({ client, model, random }) => {
      const query = random.chance(0.7) ? '?async=true' : ''
      const path = random.pick(['/debtors/services/contact-gaps', '/users/services/contact-gaps'])
      const answer = await client.send('globalService', path + query, { method: 'POST', body: {} })
      if (answer?.status === 202 && typeof answer.body['jobId'] === 'string')
        model.jobs.push(readText(answer, 'jobId'))
    },
  },
  {
    name: 'user service',
    weight: 4,
    run: async ({ client, random, simulation, number }) => {
      const guid = random.pick(Object.values(simulation.fixture.users))
      const query = random.chance(0.6) ? '?async=true' : ''
      await client.send('userService', `/users/${guid}/services/welcome-mail${query}`, {
        method: 'POST',
        body: { text: `hello ${number}` },
      })
    },
  },
  {
    name: 'statement',
    weight: 1,
    needs: ({ model }) => model.cases.length > 0,
    run: async ({ client, model, random }) => {
      const { debtor } = model.case(random)!
      const made = await client.send('createStatement', `/debtors/${debtor.guid}/documents`, {
        method: 'POST',
        body: {},
        audited: 'perhaps',
      })
      if (isDone(made)) model.documents.push(readText(made, 'documentGuid'))
    },
  },
  {
    name: 'erasure',
    weight: 2,
    needs: ({ model }) => model.debtors.length > 0,
    run: (run) => erase(run, run.model.debtor(run.random)!),
  },
  {
    name: 'erasure after years',
    weight: 1,
    isAlone: true,
    needs: ({ model }) => model.cases.length > 0 && model.day < yearsOfDays,
    run: async (run) => {
      const { client, model, random } = run
      const { debtor } = model.case(random)!
      for (const { guid } of model.cases.filter((one) => one.debtor === debtor))
        await client.send('closeForErasure', formPath('case', 'close', { id: guid }), {
          method: 'PATCH',
          body: { closureCode: 'RECALLED_BY_CLIENT' },
        })
      model.day += yearsOfDays
      const body = { systemDate: dayText(model.day) }
      await client.send('setDate', '/system/systemdate', { method: 'PUT', body })
      await erase(run, debtor)
    },
  },
  {
    name: 'create webhook',
    weight: 6,
    needs: ({ model }) => model.webhooks.length < 3,
    run: async ({ client, model, random, simulation, number }) => {
      const made = await client.send('createWebhook', formPath('webhook', 'create'), {
        method: 'POST',
        body: {
          url: `${simulation.receivers.url}/hook-${number}`,
          types: random.pick(['', 'debtor.*', 'case.*, payment.registered']),
          enabled: true,
        },
        audited: 'always',
        secret: true,
      })
      if (!isDone(made)) return
      const guid = readText(made, 'webhookGuid')
      model.webhooks.push(guid)
      if (readText(made, 'secret') !== '') model.secrets.add(readText(made, 'secret'))
    },
  },
  {
    name: 'change webhook',
    weight: 1,
    needs: ({ model }) => model.webhooks.length > 0,
    run: async ({ client, model, random, number }) => {
      const path = formPath('webhook', 'edit', { id: random.pick(model.webhooks) })
      await client.send('changeWebhook', path, {
        method: 'PATCH',
        body: { description: `number ${number}` },
        audited: 'always',
      })
    },
  },
  { name: 'create user', weight: 2, run: async (run) => void (await makeUser(run)) },
  {
    name: 'sign in and out',
    weight: 3,
    run: async (run) => {
      const { model, random, client } = run
      const user = random.pick(model.users) ?? (await makeUser(run))
      if (!user) return
      const session = await signIn(run, user)
      if (!session || random.chance(0.3)) return
      await useEverywhere(run, session.token)
      const out = await client.send('logout', '/auth/logout', {
        method: 'POST',
        token: session.token,
        audited: 'never',
      })
      if (isDone(out)) await assertEnded(run, session.token, 'signing out')
    },
  },
  {
    name: 'disable user',
    weight: 3,
    run: async (run) => {
      const { client } = run
      const user = await makeUser(run)
      if (!user) return
      const session = await signIn(run, user)
      if (!session) return
      await useEverywhere(run, session.token)
      const changed = await client.send('disableUser', `/users/${user.guid}`, {
        method: 'PUT',
        body: { password: null, disabled: true },
        audited: 'always',
      })
      if (isDone(changed)) await assertEnded(run, session.token, 'disabling its user')
    },
  },
  {
    name: 'refresh',
    weight: 2,
    needs: ({ model }) => model.sessions.length > 0,
    run: async ({ client, model, random }) => {
      const session = random.pick(model.sessions)
      const body = { refreshToken: session.refresh }
      const answer = await client.send('refresh', '/auth/refresh', {
        method: 'POST',
        body,
        token: null,
        audited: 'never',
      })
      if (!isDone(answer)) return
      session.token = readText(answer, 'accessToken')
      session.refresh = readText(answer, 'refreshToken')
      model.secrets.add(session.token).add(session.refresh)
    },
  },
  {
    name: 'forgotten password',
    weight: 2,
    run: async (run) => {
      const user = run.random.pick(run.model.users) ?? (await makeUser(run))
      if (user)
        await run.client.send('forgot', '/auth/password/forgot', {
          method: 'POST',
          body: { login: user.login },
          token: null,
          audited: 'never',
        })
    },
  },
  {
    name: 'settings',
    weight: 1,
    run: async ({ client, random }) => {
      const path = formPath('systemsettings', 'edit')
      await client.send('changeSettings', path, {
        method: 'PATCH',
        body: { tolerance: random.pick([0, 5, 10]) },
      })
    },
  },
  {
    name: 'lookup value',
    weight: 1,
    run: async ({ client, number }) => {
      await client.send('createLookupValue', formPath('lookupvalue', 'create'), {
        method: 'POST',
        body: { lookupCode: 'shoesize', lookupKey: String(number), textEn: `Size ${number}` },
        audited: 'always',
      })
    },
  },
  {
    name: 'favorite',
    weight: 1,
    run: async ({ client, number, simulation }) => {
      const body = { type: '0', url: `/worklist?n=${number}`, primaryDescription: `Mine ${number}` }
      const made = await client.send('createFavorite', '/users/current/favorites', {
        method: 'POST',
        body,
        token: simulation.fixture.tokens.handler,
      })
      if (isDone(made))
        await client.send('listFavorites', '/users/current/favorites?$top=100', {
          token: simulation.fixture.tokens.handler,
        })
    },
  },
]
