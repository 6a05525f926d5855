-- New lexemes waited in a list until there were 256 kB of them, and every look into the index read the whole list. A
-- search looks into it about ten times. Without the list a change costs a tenth more, and none has to empty it.
alter index item_lexemes reset (gin_pending_list_limit);
alter index item_lexemes set (fastupdate = off);
select gin_clean_pending_list('item_lexemes');
