-- A statement can be sent as an SMS, with its document as the record of what was written.

alter table message
  drop constraint message_document,
  add constraint message_document check (channel <> 'letter' or document_id is not null);
