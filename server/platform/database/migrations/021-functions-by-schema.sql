-- pg_dump and pg_restore work without a search path: a function that a generated column stands on must find the others
-- by their schema, else every row of the table is refused. Their bodies are those of 010 otherwise. SQL's own way, a search
-- path of each function, would keep PostgreSQL from writing them into the statement.
do $migration$
declare
  place text := quote_ident(current_schema());
begin
  execute format($sql$
    create or replace function compact_of(given text) returns text language sql immutable parallel safe as $$
      select regexp_replace(%1$s.fold_text(given), '[^0-9a-z]+', '', 'g')
    $$
  $sql$, place);
  execute format($sql$
    create or replace function search_lexemes(item_type int, first_line text, second_line text, keys text[])
    returns tsvector language plpgsql immutable parallel safe as $$
    begin
      return array_to_tsvector(array_remove(array_remove(
        %1$s.word_lexemes(item_type::text, %1$s.fold_text(first_line)) || keys || array[
          item_type::text || 'n:' || left(%1$s.fold_text(first_line), 200),
          item_type::text || 'r:' || left(%1$s.compact_of(second_line), 100)], item_type::text || 'w:'), null));
    end $$
  $sql$, place);
end
$migration$;
