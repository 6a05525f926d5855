/** A year of nights, letters, messages and calls. Each contact is judged when it is made. */
import { addDays } from '../../core/calendar/calendar.ts'
import { dayEndSteps } from '../../server/app.ts'
import { holdCase } from '../../server/cases/holds/hold-case.ts'
import { createContactGate } from '../../server/collection/letters/contact-gate.ts'
import { sendLetter } from '../../server/collection/letters/send-letter.ts'
import { askContact } from '../../server/claims/contact-permission.ts'
import { usualModel } from '../../server/insight/sandbox/forward/debtor-model.ts'
import { debtorsStep } from '../../server/insight/sandbox/forward/debtors-step.ts'
import { nightJob } from '../../server/insight/sandbox/forward/forward-nights.ts'
import { dayEndCommand } from '../../server/integration/commands/day-end.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { queueEmail } from '../../server/platform/messages/messages.store.ts'
import { sendMessages, type AskPermission, type SendMessage } from '../../server/platform/messages/send.ts'
import { startApi, type CallOptions, type TestApi } from '../../server/testing/api.ts'
import { agencyCaller, contextOn } from '../../server/testing/records/cases.ts'
import { logCall } from '../../server/work/calls.changes.ts'
import { createRandom } from '../simulate/random.ts'
import { contactsPerWeek, judge, type Channel } from './judge.ts'
import { changePerson, drawClaim, drawPerson, toBody } from './people.ts'
import { addClaim, addGuardian, makePortfolio, type Debtor, type Portfolio } from './portfolio.ts'
import { bySimulatedClock, installClock, type SimulatedClock } from './simulated-clock.ts'

export interface YearOptions {
  debtors: number
  days: number
  seed: number
  /** In place of the service's own gate, to see that the judge finds what it lets through. */
  gate?: AskPermission
  onDay?(day: number, year: Year): void
}

export interface Fault {
  debtor: number
  channel: Channel
  at: string
  rules: string[]
}

export interface Year {
  contacts: Record<Channel, number>
  /** Calls that nobody made, because the service did not permit them. */
  callsNotMade: number
  changes: number
  faults: Fault[]
  /** Messages that are held at the end, by reason. */
  held: Record<string, number>
  close(): Promise<void>
}

/** How often each rule was broken, by channel. Addresses are left out, so that equal faults count together. */
export function describeFaults(faults: readonly Fault[]): [rule: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { channel, rules } of faults)
    for (const rule of rules) {
      const key = `${channel}: ${rule.replaceAll(/\S*\d\S*/g, '…')}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

const start = '2026-03-02'
/** When messages leave, in UTC: at night, in the morning, by day and in the evening of most of the debtors. */
const rounds = ['05:40', '10:05', '14:30', '20:15'] as const

interface World extends Portfolio {
  /** A node by the simulated clock. */
  node: TestApi
  clock: SimulatedClock
  year: Year
  ask: AskPermission
  /** Signs in again: a session ends by the real clock. */
  signIn(): Promise<void>
}

export async function runYear(options: YearOptions): Promise<Year> {
  const api = await startApi({ FORDRA_SERVICES: '' })
  const world = await openWorld(api, options)
  const { year } = world
  for (let day = 0; day < options.days; day++) {
    await liveDay(world, addDays(start, day), day)
    options.onDay?.(day, year)
  }
  for (const { reason, count } of await api.sql<{ reason: string; count: number }[]>`
    select held_reason as reason, count(*)::int as count from message where sent_at is null and held_reason is not null
    group by 1 order by 1`)
    year.held[reason] = count
  return year
}

/** Calls by the newest token, and signs in again when it has run out: a run may have been stopped for an hour. */
function keepSignedIn(api: TestApi) {
  let { token } = api
  const signIn = async () => void (token = await api.signIn(2))
  const signedIn: TestApi = {
    ...api,
    call: async <T>(method: string, path: string, options?: CallOptions) => {
      const answer = await api.call<T>(method, path, { token, ...options })
      if (answer.status !== 401) return answer
      await signIn()
      return api.call<T>(method, path, { token, ...options })
    },
  }
  return { api: signedIn, signIn }
}

async function openWorld(opened: TestApi, { debtors, seed, gate }: YearOptions): Promise<World> {
  const { api, signIn } = keepSignedIn(opened)
  const settings = await api.call('PATCH', '/system/forms/systemsettings/edit', {
    body: { contactsPerWeek, proposedContactRules: true },
  })
  if (settings.status !== 200) throw new Error(settings.text)
  const clock = await installClock(api.sql, `${start}T00:00:00Z`)
  const node = await api.startNode({ FORDRA_SERVICES: '' }, bySimulatedClock(api.databaseUrl))
  const portfolio = await makePortfolio(api, createRandom(seed), { count: debtors, start })
  const year: Year = {
    contacts: { email: 0, sms: 0, letter: 0, telephone: 0 },
    callsNotMade: 0,
    changes: 0,
    faults: [],
    held: {},
    close: async () => {
      await node.app.close()
      await node.sql.end({ timeout: 1 })
      await api.close()
    },
  }
  const own = createContactGate(node.sql, {
    today: node.app.service.clock.today,
    now: () => new Date(clock.now()),
  })
  return { ...portfolio, node, clock, year, ask: gate ?? own, signIn }
}

async function liveDay(world: World, date: string, day: number): Promise<void> {
  const { api, node, clock, random, guids } = world
  await clock.set(`${date}T00:30:00Z`)
  if (day % 5 === 0) await world.signIn()
  await node.setDate(date)
  await api.setDate(date)
  await runNight(world, date)
  for (const time of rounds) {
    await clock.set(`${date}T${time}:00Z`)
    // Each round has its share of what happens in a day to one debtor in sixty.
    const acts = Math.ceil(guids.length / 240)
    const chosen = new Set(Array.from({ length: acts }, () => random.pick(guids)))
    const drawn = [...chosen].map((guid) => ({ guid, draw: createRandom(random.below(2 ** 31)) }))
    for (const { guid, draw } of drawn) await act(world, world.debtors.get(guid)!, { draw, date, day })
    await send(world)
  }
}

async function runNight({ node }: World, date: string): Promise<void> {
  const { clock } = node.app.service
  const command = dayEndCommand(clock, [debtorsStep({ ...usualModel, full: 3 }), ...dayEndSteps()])
  await command.run(nightJob(node.sql, node.databaseUrl, date), [date])
}

interface Moment {
  draw: Portfolio['random']
  date: string
  day: number
}

/** One thing that the debtor, a handler or a creditor does. */
async function act(world: World, debtor: Debtor, moment: Moment): Promise<void> {
  const chance = moment.draw.next()
  if (chance < 0.3) return telephone(world, debtor, moment)
  if (chance < 0.5) return writeEmail(world, debtor)
  if (chance < 0.65) return writeText(world, debtor, moment)
  if (chance < 0.68) return die(world, debtor, moment)
  if (chance < 0.72) return recall(world, debtor, moment)
  if (chance < 0.8) return addClaim(world, debtor, drawClaim(moment.draw, moment.date), moment.date)
  if (chance < 0.84) return findGuardian(world, debtor, moment)
  return change(world, debtor, moment)
}

/** A handler asks before the call, as the console does, and logs what came of it. */
async function telephone(world: World, debtor: Debtor, { draw, date }: Moment): Promise<void> {
  const { node, clock, year } = world
  const caseGuid = draw.pick(debtor.caseGuids)
  const question = { debtorGuid: debtor.debtorGuid, caseGuid, at: clock.now(), date }
  const [answer] = await askContact(node.sql, ['telephone'], question)
  if (!answer!.allowed) {
    year.callsNotMade++
    return
  }
  const isGuardian = answer!.recipient === 'guardian'
  const called = isGuardian ? debtor.guardian : debtor.person
  if (called !== null && called.phone === null) return
  keep(world, debtor, {
    channel: 'telephone',
    recipient: called?.phone ?? null,
    printed: '',
  })
  const isReached = draw.chance(0.6)
  const input = { outcome: isReached ? 'REACHED' : 'NO_ANSWER', rightParty: isReached }
  await logCall(node.sql, agencyCaller, { caseGuid, input }, contextOn(date).origin)
  if (isReached) debtor.reached.push(Date.parse(clock.now()))
}

/** As a custom service writes to a debtor. */
async function writeEmail({ node }: World, debtor: Debtor): Promise<void> {
  const { email, language } = debtor.guardian ?? debtor.person
  if (email === null) return
  const mail = { recipient: email, languageCode: language, subject: 'Hello', text: 'Hello' }
  await queueEmail(node.sql, { ...mail, debtorGuid: debtor.debtorGuid })
}

/** A handler sends a statement as a text message, an e-mail or a letter. The service may refuse it. */
async function writeText({ node }: World, debtor: Debtor, { draw, date }: Moment): Promise<void> {
  const input = { kind: 'statement', channel: draw.pick(['sms', 'email', 'letter']) }
  const order = { debtorGuid: debtor.debtorGuid, input }
  await sendLetter(node.sql, agencyCaller, order, contextOn(date).origin).catch(allowRefusal)
}

function allowRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/** A handler learns of the death on one of the cases. */
async function die({ node, year }: World, debtor: Debtor, { draw, date }: Moment): Promise<void> {
  const caseGuid = draw.pick(debtor.caseGuids)
  const input = { reason: 'HOLD_DECEASED' }
  try {
    await holdCase(node.sql, agencyCaller, { caseGuid, input }, contextOn(date))
    debtor.person.isDead = true
    year.changes++
  } catch (error) {
    allowRefusal(error)
  }
}

/** The creditor takes a claim back. */
async function recall(world: World, debtor: Debtor, { draw }: Moment): Promise<void> {
  const caseGuid = draw.pick(debtor.caseGuids)
  const body = { closureCode: 'RECALLED_BY_CLIENT' }
  await request(world, `/system/forms/case/close?id=${caseGuid}`, body)
}

async function findGuardian({ api }: World, debtor: Debtor, { draw, date, day }: Moment): Promise<void> {
  if (debtor.guardian !== null || debtor.person.born === null || debtor.person.born < '2008') return
  const number = 10_000_000 + debtor.person.number * 400 + day
  const guardian = { ...drawPerson(draw, number, start), born: '1970-02-03', underAged: false }
  await addGuardian(api, debtor, guardian, date).catch(allowRefusal)
}

async function change(world: World, debtor: Debtor, { draw, day }: Moment): Promise<void> {
  changePerson(draw, debtor.person, day + 1)
  const { born, underAged, isProtected } = debtor.person
  const body = toBody(debtor.person)
  const cleared = [
    'email',
    'timeZone',
    'forwardingAddress',
    'emailConsent',
    'smsConsent',
    'phoneConsent',
  ] as const
  const status = await request(world, `/debtors/${debtor.debtorGuid}`, {
    dateOfBirth: body.dateOfBirth,
    protectedIdentity: isProtected,
    ...(born === null && { underAged }),
    // Null leaves a member as it is.
    ...Object.fromEntries(cleared.map((member) => [member, body[member] ?? ''])),
  })
  if (status !== 200) throw new Error(`A change of debtor ${debtor.person.number} was answered ${status}.`)
  world.year.changes++
}

async function request({ api }: World, path: string, body: object): Promise<number> {
  const { status } = await api.call('PATCH', path, { body })
  return status
}

/** Sends until nothing is due any more. */
async function send(world: World): Promise<void> {
  const { node, ask } = world
  const sender =
    (channel: Exclude<Channel, 'telephone'>): SendMessage =>
    async ({ id, recipient }) => {
      const [row] = await node.sql<{ debtorGuid: string; printed: string }[]>`
        select m.debtor_id as "debtorGuid", coalesce(o.data ->> 'recipient', '') as printed
        from message m left join document o on o.id = m.document_id where m.id = ${id}`
      const debtor = world.debtors.get(row!.debtorGuid)
      if (!debtor) throw new Error(`A message to ${row!.debtorGuid}, who is no debtor of the portfolio.`)
      keep(world, debtor, { channel, recipient, printed: row!.printed })
      if (channel !== 'letter') debtor.reached.push(Date.parse(world.clock.now()))
    }
  const senders = { email: sender('email'), sms: sender('sms'), letter: sender('letter') }
  const count = () => Object.values(world.year.contacts).reduce((sum, one) => sum + one, 0)
  for (let before = -1; before !== count();) {
    before = count()
    await sendMessages(
      node.sql,
      senders,
      (error) => {
        throw error
      },
      ask,
    )
  }
}

function keep(
  { year, clock }: World,
  { person, guardian, reached }: Debtor,
  { recipient, ...more }: { channel: Channel; recipient: string | null; printed: string },
): void {
  const at = Date.parse(clock.now())
  year.contacts[more.channel]++
  const rules = judge({ person, guardian, reached }, { ...more, at, recipient: recipient ?? '' })
  if (rules.length > 0)
    year.faults.push({ debtor: person.number, channel: more.channel, at: clock.now(), rules })
}
