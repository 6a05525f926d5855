-- The fee that a letter charges. It has no basis until the letter leaves: while the letter is held, it is reversed.
create table letter_fee (
  movement_id uuid not null primary key references movement (id),
  document_id uuid not null references document (id) on delete cascade
);
create index letter_fee_document on letter_fee (document_id);
