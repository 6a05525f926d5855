-- What the law needs to know of a client, a case and a letter.

alter table party add column reminder_fee_agreed boolean;

alter table debt_case
  add column governing_country text,
  add column governing_from date,
  add column reminder_fee_agreed boolean not null default false,
  add column notice_deadline date;

alter table document
  add column due_date date,
  drop constraint document_kind_check,
  add constraint document_kind_check
    check (kind in ('statement', 'reminder', 'notice', 'demand', 'legal', 'surveillance'));

-- A consumer's legal address decides, else the client's country or that of the nearest party above it.
with recursive located as (
  select id, country_code from party where parent_id is null
  union all
  select p.id, coalesce(p.country_code, l.country_code) from party p join located l on p.parent_id = l.id
)
update debt_case c
set governing_country = coalesce(
    (select a.country_code from address a join debtor d on d.id = a.debtor_id
     where a.debtor_id = c.main_debtor_id and d.juridical_type is distinct from 1 and a.address_type = 'LEGAL'
       and a.country_code is not null
     order by a.default_address desc, a.id desc limit 1),
    l.country_code),
  governing_from = c.registration_date
from located l where l.id = c.client_id;
