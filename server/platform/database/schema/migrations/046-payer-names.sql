-- Who paid before: proposals for money in suspense look for earlier payments of the same payer.
create index payment_file_entry_payer on payment_file_entry (lower(payer_name)) where payer_name is not null;
