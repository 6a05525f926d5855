-- Whether an acknowledgement of the debt is in writing and names the amount. In Denmark it then starts ten years, else three (decision
-- 0319). Until now each acknowledgement of a Danish claim started ten, as one in writing: those keep it.
alter table limitation_interruption add column in_writing boolean not null default false;

update limitation_interruption l set in_writing = true from debt_case c
where c.id = l.case_id and c.limitation_country = 'DK' and l.kind = 'ACKNOWLEDGEMENT';
