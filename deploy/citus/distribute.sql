-- An experiment, not a recipe: the product does not run on what this makes (bench/results/citus-trial.md says what works and what does not).
-- For a copy of a migrated database, on a coordinator with workers (Citus 13.2, PostgreSQL 15), by psql as its owner:
-- places every table that grows with debtors at a debtor's home, and what all of them read on every node. It drops the
-- triggers of these tables, and the keys that would cross shards.
\set ON_ERROR_STOP on
set citus.shard_count = 8;
-- Foreign keys to tables that are everywhere are made one shard after the other.
set citus.multi_shard_modify_mode = 'sequential';
set client_min_messages = warning;

-- The column that says at whose home a row is, and how it is found where it has to be added.
create temp table placed (tab text primary key, key text, home text);
insert into placed values
  ('debtor', 'id', null), ('address', 'debtor_id', null), ('extra_field', 'debtor_id', null),
  ('payment', 'debtor_id', null), ('payment_plan', 'debtor_id', null), ('document', 'debtor_id', null),
  ('debt_case', 'main_debtor_id', null), ('audit_entry', 'subject', null),
  ('case_debtor', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('invoice', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('movement', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('ledger_transaction', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('ledger_entry', 'home_id',
    'select c.main_debtor_id from ledger_transaction l join debt_case c on c.id = l.case_id where l.id = t.transaction_id'),
  ('limitation_interruption', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('strategy_step_taken', 'home_id', 'select main_debtor_id from debt_case where id = t.case_id'),
  ('payment_plan_payment', 'home_id', 'select debtor_id from payment_plan where id = t.plan_id'),
  ('payment_plan_case', 'home_id', 'select debtor_id from payment_plan where id = t.plan_id'),
  ('item', 'home_id', 'select coalesce(t.debtor_id, t.party_id, t.guid)'),
  ('note', 'home_id', 'select coalesce(i.debtor_id, i.party_id, i.guid) from item i where i.guid = t.item_guid'),
  ('message', 'home_id', 'select coalesce(t.debtor_id, t.id)');
-- Few rows, read by all.
create temp table referred as
  select unnest(array['party', 'app_user', 'access_group', 'user_access_group', 'user_client_restriction', 'strategy',
    'strategy_step', 'reference_rate', 'statutory_fee', 'lookup_value', 'user_field', 'system_setting', 'live_setting',
    'business_clock']) as tab;

do $$
declare r record;
begin
  for r in select tgrelid::regclass::text as tab, tgname from pg_trigger where not tgisinternal
      and tgrelid::regclass::text in (select tab from placed union all select tab from referred) loop
    execute format('drop trigger %I on %I', r.tgname, r.tab);
  end loop;
end $$;

create temp table foreign_key as
  select conname, conrelid::regclass::text as child, confrelid::regclass::text as parent,
    (select array_agg(a.attname::text order by k.n) from unnest(conkey) with ordinality k (num, n)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = k.num) as cols,
    (select array_agg(a.attname::text order by k.n) from unnest(confkey) with ordinality k (num, n)
      join pg_attribute a on a.attrelid = confrelid and a.attnum = k.num) as refs
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    and (conrelid::regclass::text in (select tab from placed) or confrelid::regclass::text in (select tab from placed));

do $$
declare
  r record;
  cols text;
  condition text;
begin
  for r in select * from foreign_key loop
    execute format('alter table %I drop constraint %I', r.child, r.conname);
  end loop;
  for r in select * from placed where home is not null loop
    execute format('alter table %I add column home_id uuid', r.tab);
    execute format('update %I t set home_id = (%s)', r.tab, r.home);
    execute format('alter table %I alter column home_id set not null', r.tab);
  end loop;
  -- Unique keys get the home at their end, so that they still serve who looks by their beginning. Numbers that were
  -- unique over all debtors are so within one home alone.
  for r in select i.indexrelid::regclass::text as name, p.tab, p.key, i.indisprimary, pg_get_indexdef(i.indexrelid) as text,
      exists (select from pg_constraint c where c.conindid = i.indexrelid) as is_constraint
    from pg_index i join placed p on p.tab = i.indrelid::regclass::text
    where i.indisunique and not exists (select from unnest(i.indkey::int[]) k
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k where a.attname = p.key) loop
    cols := substring(r.text from 'USING btree \((.*?)\)(?: WHERE|$)');
    condition := coalesce(substring(r.text from ' WHERE .*$'), '');
    if r.is_constraint then
      execute format('alter table %I drop constraint %I', r.tab, r.name);
    else
      execute format('drop index %I', r.name);
    end if;
    if r.indisprimary then
      execute format('alter table %I add primary key (%s, %I)', r.tab, cols, r.key);
    else
      execute format('create unique index %I on %I (%s, %I)%s', r.name, r.tab, cols, r.key, condition);
    end if;
  end loop;
end $$;

select create_reference_table(tab::regclass) from referred;
select create_distributed_table('debtor', 'id');
select create_distributed_table(tab::regclass, key, colocate_with => 'debtor') from placed where tab <> 'debtor';

-- What stays within a home, or leads to a table that is everywhere. A co-debtor and a payer have homes of their own.
do $$
declare r record;
begin
  for r in select f.*, c.key as home, p.key as parent_home
      from foreign_key f join placed c on c.tab = f.child left join placed p on p.tab = f.parent
      where (f.child, f.parent) not in (('case_debtor', 'debtor'), ('payment', 'debt_case'), ('movement', 'payment'),
        ('document', 'debt_case'), ('payment_plan_case', 'debt_case'), ('message', 'debtor'), ('message', 'document')) loop
    execute format('alter table %I add foreign key (%s) references %I (%s)', r.child,
      array_to_string(case when r.parent_home is null or r.parent_home = any(r.refs) then r.cols else r.cols || r.home end, ', '),
      r.parent,
      array_to_string(case when r.parent_home is null or r.parent_home = any(r.refs) then r.refs else r.refs || r.parent_home end, ', '));
  end loop;
end $$;

select citus_table_type, count(*) as tables, sum(shard_count) as shards from citus_tables group by 1 order by 1;
