/** Many debtors with a case and a payment each, copied in SQL from a case that was registered. */
import type { Sql } from '../../platform/database/driver/pool.ts'

/** What a copy of each table's row has of its own, in columns of `numbered`. */
const own = {
  debt_case: `'id', n.case_id, 'client_id', n.client_id, 'main_debtor_id', n.debtor_id, 'source_reference', null,
    'case_number', n.code || n.n, 'payment_reference_number', n.code || n.n,
    'running_number', (select max(running_number) from debt_case) + n.n`,
  case_debtor: `'case_id', n.case_id, 'client_id', n.client_id, 'debtor_id', n.debtor_id`,
  payment: `'id', n.payment_id, 'case_id', n.case_id, 'debtor_id', n.debtor_id, 'source_reference', null, 'payer_reference', null`,
  movement: `'id', gen_random_uuid(), 'case_id', n.case_id, 'payment_id', n.payment_id`,
}

/**
 * Copies the case so many times for the client, each with a debtor of its own. Debtors are named `Debtor 1 of CODE` and
 * live in one of ten cities; each was born on another day. Of the movements only those of the payment are copied.
 */
export async function copyCases(
  sql: Sql,
  { caseGuid, clientGuid, count }: { caseGuid: string; clientGuid: string; count: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`
      create temporary table numbered on commit drop as
      select n, gen_random_uuid() as debtor_id, gen_random_uuid() as case_id, gen_random_uuid() as payment_id,
        p.id as client_id, p.reference_code as code
      from generate_series(1, ${count}) n, party p where p.id = '${clientGuid}'`)
    await tx.unsafe(`
      insert into debtor (id, full_name, juridical_type, city, date_of_birth, reg_date, created_by_party_id)
      select debtor_id, 'Debtor ' || n || ' of ' || code, 0, 'City ' || n % 10, '1950-01-01'::date + n, now(),
        (select id from party where parent_id is null)
      from numbered`)
    for (const [table, values] of Object.entries(own)) {
      const columns = await tx<{ name: string }[]>`
        select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`
      const list = columns.map(({ name }) => name)
      const key = table === 'debt_case' ? 'id' : 'case_id'
      await tx.unsafe(`
        insert into ${table} (${list.join(', ')})
        select ${list.map((name) => `copy.${name}`).join(', ')}
        from numbered n, ${table} o, lateral jsonb_populate_record(o, jsonb_build_object(${values})) copy
        where o.${key} = '${caseGuid}' ${table === 'movement' ? 'and o.payment_id is not null' : ''}`)
    }
  })
}
