-- What clients have besides cases can be imported, known by the source's own reference, and is listed in order.
alter table third_party add column source_reference text;
alter table account add column source_reference text;
alter table customer add column source_reference text;
alter table purchase add column source_reference text;
alter table object add column source_reference text;

create unique index third_party_source_reference on third_party (source_reference) where source_reference is not null;
create unique index account_source_reference on account (source_reference) where source_reference is not null;
create unique index customer_source_reference on customer (source_reference) where source_reference is not null;
create unique index purchase_source_reference on purchase (source_reference) where source_reference is not null;
create unique index object_source_reference on object (source_reference) where source_reference is not null;

create index third_party_name_order on third_party (name collate fordra_order nulls first, id);
create index account_number_order on account (account_number collate fordra_order nulls first, id);
create index customer_number_order on customer (customer_number collate fordra_order nulls first, id);
create index customer_name_order on customer (name collate fordra_order nulls first, id);
create index purchase_number_order on purchase (purchase_number collate fordra_order nulls first, id);
create index object_number_order on object (object_number collate fordra_order nulls first, id);

-- A rate is listed like anything else: by a key of one column.
alter table reference_rate add column id uuid not null default gen_random_uuid();
create unique index reference_rate_id on reference_rate (id);
