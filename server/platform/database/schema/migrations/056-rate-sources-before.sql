-- An explanation as of a day names the source that a rate had then, also where the rate was corrected later. Changes from
-- before this migration did not keep it.
alter table reference_rate_change add column source_before text;
alter table reference_rate_change add column unverified_before boolean not null default false;
