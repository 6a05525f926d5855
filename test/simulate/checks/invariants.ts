/** What must hold of the database: after every commit, and at the end of a run. */
import type { Database } from '../../../server/platform/database/database.ts'
import { verifyLedger, describeFault } from '../../../server/ledger/verify-ledger.ts'
import { verifyTrust } from '../../../server/treasury/bank-files/verify-trust.ts'
import { verifyAudit } from '../../../server/platform/events/audit-seal.ts'
import { inTransaction } from '../../../server/platform/database/transaction.ts'
import { Client } from '../client.ts'
import { findClientFaults } from './acknowledged.ts'
import { findLetterFaults } from './letters.ts'
import { checkLists } from './lists.ts'
import { listHidden } from './restriction.ts'
import { createRandom } from '../random.ts'
import { recordChecks } from './records.ts'
import { findTrialFaults, trialChecks } from './trials.ts'
import type { World } from '../world.ts'

/** Each statement lists what is wrong; nothing when all is right. */
const always: Record<string, string> = {
  'a ledger transaction does not sum to zero': `
    select transaction_id::text from ledger_entry group by 1 having sum(amount) <> 0`,
  'the numbers of events have a gap or a double': `
    select subject::text || ': ' || count(*) || ' events, last ' || max(sequence) from audit_entry where sequence is not null
    group by subject having count(*) <> max(sequence) or count(distinct sequence) <> count(*) or min(sequence) <> 1`,
  // One whose balance closes it stays in its plan, which goes on for other cases.
  'a closed case has an active payment plan': `
    select c.case_number from debt_case c join payment_plan_case pc on pc.case_id = c.id and pc.active
    where c.closure_code not in ('PAID_IN_FULL', 'SMALL_BALANCE', 'WRITTEN_OFF', 'CREDITED')`,
  'an active plan has no case, or a case has two': `
    select p.id::text from payment_plan p where p.active = 1
      and not exists (select from payment_plan_case pc where pc.plan_id = p.id and pc.active)
    union all
    select case_id::text from payment_plan_case where active group by case_id having count(*) > 1`,
  'a plan that is not active holds a case': `
    select p.id::text from payment_plan p join payment_plan_case pc on pc.plan_id = p.id and pc.active where p.active <> 1`,
  'an active plan does not count what was paid on its cases': `
    select pp.id::text from payment_plan pp
    where pp.active = 1 and (select sum(n.paid) from payment_plan_payment n where n.plan_id = pp.id) <> least(
      (select sum(n.amount) from payment_plan_payment n where n.plan_id = pp.id),
      (select coalesce(sum(m.amount), 0) from payment_plan_case pc join movement m on m.case_id = pc.case_id
        where pc.plan_id = pp.id and m.number > pc.movements_before
          and m.kind in ('payment', 'thirdPartyPayment', 'creditUse')
          and not exists (select from movement r where r.reverses_id = m.id)))`,
  'case numbers have a gap': `
    select 'numbers' from debt_case having count(*) <> coalesce(max(running_number) - 100000, 0)`,
  'movements of a case have a gap': `
    select case_id::text from movement group by case_id having count(*) <> max(number)`,
  'a payment is not the sum of its movements': `
    select p.id::text from payment p where p.amount <> (select coalesce(sum(m.amount), 0) from movement m where m.payment_id = p.id)`,
  'what was paid, refunded and left over is not what came in': `
    select c.case_number || ': in ' || m.came || ', used ' || (c.paid_principal + c.paid_interest + c.paid_fee + c.credit + s.surplus)
    from debt_case c cross join lateral (
      select coalesce(-sum(e.amount), 0) as surplus from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
      where t.case_id = c.id and e.account = 'third-party-credit') s
    cross join lateral (
      select coalesce(sum(case when m.kind in ('payment', 'thirdPartyPayment', 'creditUse') then m.amount
        when m.kind = 'refund' then -m.amount else 0 end), 0) as came
      from movement m where m.case_id = c.id and m.kind <> 'creditUse'
        and not exists (select from movement r where r.reverses_id = m.id)) m
    where m.came <> c.paid_principal + c.paid_interest + c.paid_fee + c.credit + s.surplus
      and not exists (select from movement m where m.case_id = c.id and m.value_date > (select business_date from business_clock))`,
  'an ended job is still in the queue, or a waiting one is not': `
    select id::text || ' ' || status from job_run where (ended_at is null) <> (status in ('waiting', 'running'))`,
  'a service or a job ended twice': `
    select entity || ' ' || entity_id from audit_entry where entity in ('service', 'job') and action = 'completed'
    group by entity, entity_id having count(*) > 1`,
  'a closed case that owes bears interest': `
    select c.case_number from debt_case c where c.closure_code is not null and c.accrual_per_day <> 0
      and not exists (select from movement m where m.case_id = c.id and m.value_date > (select business_date from business_clock))`,
  'a payment was reversed on some of its cases': `
    select p.id::text from payment p join movement m on m.payment_id = p.id
    where (p.reversed_date is not null) <> exists (select from movement r where r.reverses_id = m.id)`,
  'more credit was used than a debtor had': `
    select c.main_debtor_id::text from debt_case c group by c.main_debtor_id, c.currency_code having sum(c.credit) < 0
      and not exists (select from debt_case d join movement m on m.case_id = d.id
        where d.main_debtor_id = c.main_debtor_id and m.kind = 'reversal')`,
  'a keyed answer is kept twice': `
    select key from idempotency_key group by caller_id, key having count(*) > 1`,
  'an entry of the bank is booked twice': `
    select encode(identity, 'hex') from payment_file_entry where outcome in ('BOOKED', 'SUSPENSE')
    group by identity having count(*) > 1`,
  'an aborted upload left something': `
    select id::text from payment_file where file_name like 'aborted-%'`,
  'money from the bank is neither booked nor in suspense': `
    select id::text from trust_transaction t where (select coalesce(sum(amount), 0) from trust_entry e where e.transaction_id = t.id) <> 0`,
}

/** What holds once everything has come to rest. */
const atEnd: Record<string, string> = {
  'an entry of the trail is in no seal, or in two': `
    select s.entries || ' sealed of ' || a.entries from (select coalesce(sum(entries), 0) as entries from audit_seal) s,
      (select count(*) as entries from audit_entry) a where s.entries <> a.entries`,
}

async function runChecks(sql: Database, checks: Record<string, string>): Promise<string[]> {
  const names = Object.keys(checks)
  const text = Object.values(checks)
    .map(
      (check, place) =>
        `select ${place} as place, (select array_agg(f.what) from (${check}) f (what)) as found`,
    )
    .join(' union all ')
  const rows = await sql.unsafe<{ place: number; found: string[] | null }[]>(text)
  return rows.flatMap(({ place, found }) =>
    found ? [`${names[place]}: ${found.slice(0, 3).join('; ')}`] : [],
  )
}

/** What holds at every moment. */
export async function checkNow(sql: Database): Promise<string[]> {
  try {
    return await runChecks(sql, { ...always, ...recordChecks, ...trialChecks })
  } catch (error) {
    // The database is just going down.
    if (/CONNECTION|57P|ECONN|EPIPE/.test(String((error as { code?: string }).code))) return []
    throw error
  }
}

/** What holds when everything has come to its end. */
export async function checkEnd(simulation: World): Promise<string[]> {
  const { sql } = simulation
  const faults: string[] = []
  const proof = await verifyLedger(sql)
  faults.push(...proof.faults.map((fault) => `The ledger does not verify. ${describeFault(fault)}`))
  const { brokenAt } = await verifyAudit(sql)
  if (brokenAt !== null) faults.push(`The trail does not verify: seal ${brokenAt} is broken.`)
  faults.push(...(await verifyTrust(sql)).map((fault) => `The trust books do not verify: ${fault}.`))
  faults.push(...(await runChecks(sql, atEnd)))
  faults.push(...(await findErasureFaults(simulation)))
  faults.push(...(await findLimitedFaults(simulation)))
  faults.push(...(await findTotalFaults(sql)))
  faults.push(...(await findClientFaults(simulation)))
  faults.push(...(await findImportFaults(simulation)))
  faults.push(...(await findTrialFaults(simulation)))
  faults.push(...(await findSecretFaults(simulation)))
  faults.push(...(await findDeliveryFaults(simulation)))
  faults.push(...(await findMailFaults(simulation)))
  faults.push(...(await findLetterFaults(simulation)))
  const client = new Client(simulation, 10_000, createRandom(simulation.seed, 9))
  await finish(simulation, simulation.follower.readAll(client))
  await finish(simulation, checkLists(simulation, client))
  faults.push(...(await simulation.follower.findFaults()))
  return faults
}

/** Lets the scheduler run until the work is done. */
async function finish(simulation: World, work: Promise<unknown>): Promise<void> {
  let over = false
  simulation.scheduler.pending++
  void work.finally(() => {
    over = true
    simulation.scheduler.pending--
    simulation.scheduler.touch()
  })
  await simulation.scheduler.run(() => over)
  await work
}

/** The kept numbers of rows are those of the tables. */
async function findTotalFaults(sql: Database): Promise<string[]> {
  const kept = await sql<{ entity: string; rows: number }[]>`
    select entity, sum(rows)::int as rows from list_total where entity <> 'party' group by entity`
  const tables: Record<string, string> = { case: 'debt_case', user: 'app_user', client: 'party' }
  const faults: string[] = []
  for (const { entity, rows } of kept) {
    const [exists] = await sql<
      { name: string | null }[]
    >`select to_regclass(${tables[entity] ?? entity})::text as name`
    if (!exists?.name) continue
    const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${exists.name}`)
    if (row!.count !== rows)
      faults.push(`The kept total of ${entity} is ${rows}, the table has ${row!.count} rows.`)
  }
  return faults
}

/** An import that ended well has each of its rows once, or says why not; the trail has no more than that. */
async function findImportFaults({ sql, model }: World): Promise<string[]> {
  const tables = { debtors: 'debtor', cases: 'debt_case', payments: 'payment' }
  const faults: string[] = []
  for (const { jobId, what, source } of model.imports) {
    const [job] = await sql<{ status: string; rows: number; rejected: number }[]>`
      select status, (result ->> 'rows')::int as rows, (result ->> 'rejected')::int as rejected
      from job_run where id = ${jobId}`
    const [stored] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${tables[what]} where source_reference like $1`,
      [`${source}/%`],
    )
    if (job?.status === 'completed' && stored!.count !== job.rows - job.rejected)
      faults.push(
        `The import of ${what} ${source} told of ${job.rows} rows, ${job.rejected} rejected; ${stored!.count} are stored.`,
      )
  }
  return faults
}

/** No secret stands anywhere in the database as it is. */
const findSecretFaults = async ({ sql, model }: World): Promise<string[]> =>
  (await findTexts(sql, [...model.secrets])).map((found) => `A secret stands in ${found}`)

/** What was erased stands nowhere. */
const findErasureFaults = async ({ sql, model }: World): Promise<string[]> =>
  (await findTexts(sql, model.erased)).map((found) => `What was erased stands in ${found}`)

/** The tables that have one of the texts, each with a row. */
async function findTexts(sql: Database, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return []
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') and tablename not in ('webhook', 'schema_migration', 'search_word')`
  const found = await inTransaction(sql, async (tx) => {
    const all = await Promise.all(
      tables.map(({ name }) =>
        tx.unsafe<{ name: string; row: string }[]>(
          `select '${name}' as name, left(t::text, 200) as row from ${name} t, unnest($1::text[]) wanted
           where position(wanted in t::text) > 0 limit 1`,
          [[...texts]],
        ),
      ),
    )
    return all.flat()
  })
  return found.map(({ name, row }) => `${name}: ${row}`)
}

/** Every event that a webhook asked for has reached it, those of a subject in their order. */
async function findDeliveryFaults({ sql, receivers }: World): Promise<string[]> {
  const hooks = await sql<{ id: string; url: string; types: string[]; createdBy: string; begin: number }[]>`
    select w.id, url, types, (select a.xid from audit_entry a where a.subject = w.id and a.sequence = 1) as begin
    from webhook w where enabled and paused_at is null and url not like '%/hook-of-user-%'`
  const faults: string[] = []
  // A ping goes to its own webhook, at once and beside the order.
  const pings = new Set(
    (await sql<{ id: string }[]>`select id::text from event where type = 'webhook.pinged'`).map(
      ({ id }) => id,
    ),
  )
  for (const { id: hook, url, types, begin } of hooks) {
    const path = new URL(url).pathname
    const exact = types.filter((type) => !type.endsWith('.*'))
    const entities = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -2))
    const due = await sql<{ id: string; type: string; sequence: number }[]>`
      select id::text, type, sequence::int from event
      where xid > ${begin} and (type <> 'webhook.pinged' or subject = ${hook}) and (cardinality(${types}::text[]) = 0 or type = any(${exact}) or split_part(type, '.', 1) = any(${entities}))
      order by xid, position`
    const own = receivers.deliveries.filter((delivery) => delivery.path === path)
    const taken = new Set(own.filter((delivery) => delivery.taken).map(({ id }) => id))
    const missing = due.filter(({ id }) => !taken.has(id))
    if (missing.length > 0)
      faults.push(
        `The webhook ${path} did not get ${missing.length} of ${due.length} events: ${JSON.stringify(missing[0])}`,
      )
    const reached = new Map<string, number>()
    const known = new Set<string>()
    for (const { id, subject, sequence } of own) {
      if (known.has(id) || pings.has(id)) continue
      known.add(id)
      const before = reached.get(subject) ?? 0
      if (sequence < before)
        faults.push(`The webhook ${path} first got event ${sequence} of ${subject} after ${before}.`)
      reached.set(subject, Math.max(before, sequence))
    }
  }
  return faults
}

/** A webhook delivers nothing of a client that its maker has lost, and nothing once its maker may have none. */
async function findLimitedFaults(world: World): Promise<string[]> {
  const { model, receivers, sql } = world
  if (model.limitedHooks.length === 0) return []
  const still = new Set(await listHidden(world))
  const events = await sql<{ id: string; position: number }[]>`select id::text, position from event`
  const positions = new Map(events.map(({ id, position }) => [id, position]))
  return model.limitedHooks.flatMap(({ path, from, last, hidden }) => {
    const isWrong = ({ id, subject }: { id: string; subject: string }) =>
      last === null ? hidden.has(subject) && still.has(subject) : (positions.get(id) ?? 0) > last
    const found = receivers.deliveries.slice(from).find((one) => one.path === path && isWrong(one))
    return found ? [`The webhook ${path} of a user who lost the right got an event of ${found.subject}.`] : []
  })
}

/** The mail server has taken every message that counts as sent. */
async function findMailFaults({ sql, receivers }: World): Promise<string[]> {
  const sent = await sql<{ id: string; kind: string }[]>`
    select id, kind from message where sent_at is not null and channel = 'email'`
  const taken = receivers.mails.join('\n')
  return sent
    .filter(({ id }) => !taken.includes(`<${id}@`))
    .map(({ id, kind }) => `The message ${id} (${kind}) counts as sent, and no mail server took it.`)
}
