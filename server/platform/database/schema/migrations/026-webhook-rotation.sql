-- The secret before the present one still signs, beside it, until then: receivers change theirs in between.
alter table webhook
  add column previous_secret bytea,
  add column previous_sealed boolean,
  add column previous_until timestamptz;
