-- A change of a debtor that no index holds, such as the number of its last event, finds room on its page and then writes none
-- of the indexes (decision 0327). Pages get the room as their rows are changed.
alter table debtor set (fillfactor = 70);
