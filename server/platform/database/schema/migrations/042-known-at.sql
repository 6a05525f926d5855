-- What was known of a reference rate before a change: answers as of a day are derived with the rates known then.
-- Rates without a row here count as always known.
create table reference_rate_change (
  position bigint generated always as identity primary key,
  series text not null,
  valid_from date not null,
  rate_before numeric(9,6),
  business_date date not null
);
create index reference_rate_change_date on reference_rate_change (business_date);

-- Changes by administrators are in the audit trail already. Rates removed before this migration are not.
insert into reference_rate_change (series, valid_from, rate_before, business_date)
select r.series, r.valid_from, (a.changes #>> array[r.series || ' ' || to_char(r.valid_from, 'YYYY-MM-DD'), '0'])::numeric,
  a.business_date
from reference_rate r join audit_entry a on a.entity_id = r.id and a.type = 'interestrate.set'
where a.changes ? (r.series || ' ' || to_char(r.valid_from, 'YYYY-MM-DD'))
order by a.position;

-- client_money(until) as it was known on a day: what was booked later does not count.
create function client_money(until date, known date)
returns table (case_id uuid, client_id uuid, currency_code text, received bigint, clients_share bigint, paid_out bigint)
language sql stable as $$
  select c.id, c.client_id, c.currency_code, l.principal + l.interest + l.cost,
    l.principal + l.interest + least(l.cost, l.registered_cost), coalesce(p.paid_out, 0)
  from (
    select t.case_id,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:principal' and k.paying), 0)::bigint as principal,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:interest' and k.paying), 0)::bigint as interest,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:cost' and k.paying), 0)::bigint as cost,
      coalesce(-sum(e.amount) filter (where e.account = 'claim:cost'), 0)::bigint as registered_cost
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id,
      lateral (select t.kind in ('payment', 'creditUse') as paying) k
    where t.value_date <= until and t.booked_date <= known and (k.paying or e.account = 'claim:cost')
    group by t.case_id
  ) l join debt_case c on c.id = l.case_id
  left join (
    select e.case_id, sum(e.amount)::bigint as paid_out from trust_entry e join trust_transaction t on t.id = e.transaction_id
    where e.account = 'client' and t.value_date <= until and t.booked_date <= known group by e.case_id
  ) p on p.case_id = c.id
$$;
