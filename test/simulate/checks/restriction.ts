/** What the restricted users of the fixture must never see: records of the hidden client alone. */
import type { Answer, World } from '../world.ts'

/** Identifiers and numbers of what is hidden from users of the open client, by its cases alone. */
export async function listHidden({ sql, fixture }: World): Promise<string[]> {
  const { open, hidden } = fixture.clients
  const rows = await sql<{ text: string }[]>`
    with hidden_case as (select * from debt_case where client_id = ${hidden}),
    hidden_debtor as (select d.id, d.debtor_reference from debtor d
      where exists (select from case_debtor cd where cd.debtor_id = d.id and cd.client_id = ${hidden})
      and not exists (select from case_debtor cd where cd.debtor_id = d.id and cd.client_id = ${open}))
    select id::text as text from hidden_case
    union all select case_number from hidden_case
    union all select payment_reference_number from hidden_case
    union all select i.id::text from invoice i join hidden_case c on c.id = i.case_id
    union all select m.id::text from movement m join hidden_case c on c.id = m.case_id
    union all select p.id::text from payment p join hidden_debtor d on d.id = p.debtor_id
    union all select id::text from hidden_debtor
    union all select a.id::text from address a join hidden_debtor d on d.id = a.debtor_id
    union all select pc.plan_id::text from payment_plan_case pc join hidden_case c on c.id = pc.case_id
    union all select c.id::text from customer c where c.client_id = ${hidden}
    union all select ${hidden}::text
    union all select o.id::text from document o where ${hidden} = any(o.client_ids)
    union all select n.id::text from note n join hidden_case c on c.id = n.item_guid
    union all select a.id::text from approval a join hidden_case c on c.id = a.case_id
    -- A debtor's number may be that of another debtor's case.
    except select debtor_reference from debtor d where not exists (select from hidden_debtor h where h.id = d.id)`.catch(
    () => [],
  )
  return rows.map(({ text }) => text)
}

/** What became visible meanwhile is no fault. */
export async function assertNothingHidden(
  simulation: World,
  about: string,
  answer: Answer | undefined,
  hidden: readonly string[],
): Promise<void> {
  // A refusal repeats the address.
  if (!answer || answer.status >= 400) return
  const isShown = (text: string) => answer.text.includes(`"${text}"`) || answer.text.includes(`/${text}`)
  const shown = hidden.filter(isShown)
  if (shown.length === 0) return
  const still = new Set(await listHidden(simulation))
  const found = shown.find((text) => still.has(text))
  if (found !== undefined)
    simulation.fail(`A restricted user sees ${found} in ${about}: ${answer.text.slice(0, 300)}`)
}
