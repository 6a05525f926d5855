-- Reviews of cases by the law: what was charged, demanded or reckoned against it, each with the correction proposed.

create table law_review (
  -- The job that made it.
  id uuid primary key,
  business_date date not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  cases int not null default 0,
  findings int not null default 0,
  requested_by uuid references app_user on delete set null
);

create table law_finding (
  id uuid primary key,
  review_id uuid not null references law_review,
  case_id uuid not null references debt_case,
  kind text not null,
  -- What was done, as the law names it: `fee:<type>` or `letter:<kind>`. Null for the case as a whole.
  act text,
  acted_date date,
  movement_id uuid references movement,
  document_id uuid,
  -- The rule of the country's pack, and its source. Null where the ledger's own rules were broken.
  rule text,
  source text,
  verified boolean not null,
  -- Minor units: what was charged, what the law lets stand, and by how much the correction lowers the debt.
  charged bigint,
  lawful bigint,
  amount bigint not null,
  correction text not null check (correction in
    ('REVERSE_FEE', 'LOWER_FEE', 'WRITE_OFF', 'CLOSE_BARRED', 'RECKON_INTEREST', 'STOP_INTEREST', 'NONE')),
  -- What the correction needs beside the movement: periods without interest.
  details jsonb not null default '{}',
  status text not null check (status in ('OPEN', 'LISTED', 'CONFIRMED', 'REFUSED', 'REPLACED')),
  -- Why it is only listed, or was refused.
  obstacle text,
  -- The case as it was reviewed. A later version is not corrected.
  case_version int not null,
  confirmed_by uuid references app_user on delete set null,
  confirmed_at timestamptz,
  constraint law_finding_obstacle check ((obstacle is not null) = (status in ('LISTED', 'REFUSED')) or status = 'REPLACED')
);
create index law_finding_case on law_finding (case_id, id);
create index law_finding_review on law_finding (review_id, case_id, id);
create index law_finding_open on law_finding (id) where status in ('OPEN', 'LISTED', 'REFUSED');
