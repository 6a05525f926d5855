-- The functions behind a change of a debtor do the same with fewer statements of their own: each costs as much as an
-- index entry or two (decision 0285).

-- A phone number brings no word. The words of a name or an e-mail address are looked up by one statement.
create or replace function keep_added_search_words() returns trigger language plpgsql as $$
declare
  lexeme text;
  words text[] := '{}';
begin
  foreach lexeme in array tsvector_to_array(ts_delete(new.lexemes, tsvector_to_array(old.lexemes))) loop
    if lexeme ~ '^.w:[^0-9]{3,40}$' then
      words := words || substr(lexeme, 4);
    end if;
  end loop;
  if words <> '{}' then
    insert into search_word (word)
      select given.word from unnest(words) given (word)
      where (select true from search_word w where w.word = given.word limit 1) is null;
  end if;
  return null;
end $$;

-- A change of the debtor writes the keys of its members and knows no clients.
create or replace function keep_item_clients() returns trigger language plpgsql as $$
declare
  key text;
  kept text[] := new.search_keys;
  knows_clients boolean := false;
begin
  foreach key in array old.search_keys loop
    if starts_with(key, '3c:') and key <> '3c:' and key <> all (kept) then
      kept := kept || key;
      knows_clients := true;
    end if;
  end loop;
  if knows_clients then
    if not '3c:' = any (old.search_keys) then
      kept := array_remove(kept, '3c:');
    end if;
    new.search_keys := kept;
  end if;
  return new;
end $$;

-- The counters with the names counted in: each counter moves once. Of many names at once all counters move: that takes
-- less than to look at each. `name-parts.ts` computes the same numbers.
create or replace function add_name_parts(counts int[], names text[]) returns int[]
language plpgsql immutable parallel safe as $$
declare
  name text;
  first int;
  second int;
  third int;
  part int;
  moved boolean[] := array_fill(false, array[61]);
begin
  if cardinality(names) > 100 then
    return array(select n + 1 from unnest(counts) with ordinality c (n, place) order by place);
  end if;
  foreach name in array names loop
    first := ascii(name);
    second := ascii(substr(name, 2, 1));
    for place in 3 .. coalesce(length(name), 0) loop
      third := ascii(substr(name, place, 1));
      part := (first * 961 + second * 31 + third) % 61 + 1;
      if not moved[part] then
        moved[part] := true;
        counts[part] := counts[part] + 1;
      end if;
      first := second;
      second := third;
    end loop;
  end loop;
  return counts;
end $$;
