-- Programs that publish a client ID metadata document: its address is their client_id.
alter table assistant_client
  add column document_url text unique,
  -- Until when the document is not read again.
  add column fresh_until timestamptz;
