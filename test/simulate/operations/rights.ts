/** Rights that change while their holder is at work: a role, a restriction to clients, a refresh token that was used. */
import { assertNothingHidden, listHidden } from '../checks/restriction.ts'
import { formPath, isDone, readText, type Operation, type Run } from './operation.ts'
import { makeUser, signIn, useEverywhere } from './system.ts'

/** Longer than a node believes what it knows of a token. */
const soonMs = 1_500
/** Longer than a client that lost the answer may send its refresh token again. */
const laterMs = 40_000

/** Only clients below the open one. */
const openOnly = [{ partyReferenceCode: 'ALFA', includeSubParties: true }]

const changeUser = ({ client }: Run, guid: string, change: object) =>
  client.send('changeUser', `/users/${guid}`, {
    method: 'PUT',
    body: { password: null, ...change },
    audited: 'always',
  })

/** The position of the newest event. */
async function findLastEvent({ sql }: Run['simulation']): Promise<number> {
  const [row] = await sql<
    { last: number }[]
  >`select coalesce(max(position), 0) as last from audit_entry`.catch(
    // The database is just going down.
    () => [],
  )
  return row?.last ?? Infinity
}

export const rights: Operation[] = [
  {
    name: 'change role',
    weight: 2,
    run: async (run) => {
      const { client, simulation, number } = run
      const user = await makeUser(run)
      const session = user && (await signIn(run, user))
      if (!session) return
      await useEverywhere(run, session.token)
      if (!isDone(await changeUser(run, user.guid, { userRole: 5 }))) return
      await simulation.scheduler.moveClock(soonMs)
      for (let times = 0; times < 3; times++) {
        const body = { lastname: `Reader${number}` }
        const sent = { method: 'POST', body, token: session.token } as const
        const answer = await client.send('createAsReader', '/debtors', sent)
        if (answer && isDone(answer)) simulation.fail(`A reader has created a debtor (${answer.status}).`)
      }
    },
  },
  {
    name: 'restrict user',
    weight: 2,
    needs: ({ model }) => model.cases.some(({ side }) => side === 'hidden'),
    run: async (run) => {
      const { client, model, random, simulation } = run
      const user = await makeUser(run)
      const session = user && (await signIn(run, user))
      if (!session) return
      await useEverywhere(run, session.token)
      if (!isDone(await changeUser(run, user.guid, { clientRestriction: openOnly }))) return
      await simulation.scheduler.moveClock(soonMs)
      for (let times = 0; times < 3; times++) {
        const hidden = await listHidden(simulation)
        const one = random.pick(model.cases.filter(({ side }) => side === 'hidden'))
        const path = random.pick([`/debtors/${one.debtor.guid}/cases`, '/cases?$top=100', '/events?after=0'])
        const answer = await client.send('readRestricted', path, { token: session.token })
        await assertNothingHidden(simulation, path, answer, hidden)
      }
    },
  },
  {
    name: 'restrict maker of a webhook',
    weight: 3,
    run: async (run) => {
      const { client, model, simulation, number, random } = run
      const user = await makeUser(run, { userRole: 2 })
      const session = user && (await signIn(run, user))
      if (!session) return
      const path = `/hook-of-user-${number}`
      const made = await client.send('createWebhook', formPath('webhook', 'create'), {
        method: 'POST',
        body: { url: simulation.receivers.url + path, types: '', enabled: true },
        token: session.token,
        audited: 'always',
        secret: true,
      })
      if (!isDone(made)) return
      if (readText(made, 'secret') !== '') model.secrets.add(readText(made, 'secret'))
      await simulation.scheduler.moveClock(5_000)
      const isRestricted = random.chance(0.5)
      const change = isRestricted
        ? { clientRestriction: openOnly }
        : random.pick([{ userRole: 3 }, { disabled: true }])
      if (!isDone(await changeUser(run, user.guid, change))) return
      const last = isRestricted ? null : await findLastEvent(simulation)
      const hidden = new Set(await listHidden(simulation))
      // What is under way just then may still arrive.
      await simulation.scheduler.moveClock(soonMs)
      model.limitedHooks.push({ path, from: simulation.receivers.deliveries.length, last, hidden })
    },
  },
  {
    name: 'use a refresh token again',
    weight: 2,
    run: async (run) => {
      const { client, simulation, model } = run
      const user = await makeUser(run)
      const session = user && (await signIn(run, user))
      if (!session) return
      const refresh = () =>
        client.send('refreshAgain', '/auth/refresh', {
          method: 'POST',
          body: { refreshToken: session.refresh },
          token: null,
          audited: 'never',
        })
      const first = await refresh()
      if (!isDone(first)) return
      model.secrets.add(readText(first, 'accessToken')).add(readText(first, 'refreshToken'))
      await simulation.scheduler.moveClock(laterMs)
      const again = await refresh()
      if (!again) return
      if (isDone(again)) simulation.fail('A refresh token worked again long after its use.')
      const answer = await client.send('useEnded', '/users/current', {
        token: readText(first, 'accessToken'),
      })
      if (answer?.status === 200)
        simulation.fail('A session goes on although its refresh token was used again.')
    },
  },
]
