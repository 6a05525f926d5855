/**
 * Two-row transfers, as softwaremill/tb-perf compares PostgreSQL with TigerBeetle: an account less, an account more, a
 * row for the transfer. Written anew by their description: each with a statement of its own, or many in one call.
 */
import type { Sql } from '../../server/platform/database/driver/pool.ts'

export const accounts = 100_000
const opening = 1_000_000_000

/** In the order of accounts, so that no two transfers wait for each other. */
const schema = `
  create table transfer_account (id bigint primary key, balance bigint not null check (balance >= 0));
  create table transfer (
    id bigint generated always as identity primary key,
    source_id bigint not null references transfer_account (id),
    target_id bigint not null references transfer_account (id),
    amount bigint not null check (amount > 0),
    created_at timestamptz not null default now(),
    check (source_id <> target_id)
  );
  create index on transfer (source_id);
  create index on transfer (target_id);
  create index on transfer (created_at);
  create function change_balance(account bigint, change bigint) returns void language plpgsql as $$
  begin
    update transfer_account set balance = balance + change where id = account and balance + change >= 0;
    if not found then raise exception 'Account % does not exist or has too little.', account; end if;
  end $$;
  create function move_money(source bigint, target bigint, moved bigint) returns void language plpgsql as $$
  begin
    if source < target then
      perform change_balance(source, -moved);
      perform change_balance(target, moved);
    else
      perform change_balance(target, moved);
      perform change_balance(source, -moved);
    end if;
    insert into transfer (source_id, target_id, amount) values (source, target, moved);
  end $$;
  create function move_each(sources bigint[], targets bigint[], amounts bigint[]) returns boolean[] language plpgsql as $$
  declare
    moved boolean[] := '{}';
  begin
    for place in 1 .. cardinality(sources) loop
      begin
        perform move_money(sources[place], targets[place], amounts[place]);
        moved := moved || true;
      exception when raise_exception then
        moved := moved || false;
      end;
    end loop;
    return moved;
  end $$;`

export async function createAccounts(sql: Sql): Promise<void> {
  await sql.unsafe(schema)
  await sql`insert into transfer_account select id, ${opening} from generate_series(1, ${accounts}) id`
  await sql`vacuum (analyze) transfer_account`
}

/** Throws an Error when money was lost or made. */
export async function checkAccounts(sql: Sql): Promise<void> {
  const [sum] = await sql<{ balance: string }[]>`select sum(balance)::text as balance from transfer_account`
  if (Number(sum!.balance) !== accounts * opening)
    throw new Error(`The accounts have ${sum!.balance} together.`)
}

export interface Transfer {
  source: number
  target: number
  amount: number
}

export const moveAtOnce =
  (sql: Sql) =>
  async ({ source, target, amount }: Transfer): Promise<void> => {
    await sql.unsafe('select move_money($1, $2, $3)', [source, target, amount], { prepare: true })
  }

const batchMax = 1000

/** One call at a time on one connection; what is asked meanwhile goes into the next. */
export function moveInBatches(sql: Sql): (transfer: Transfer) => Promise<void> {
  let waiting: { transfer: Transfer; done: PromiseWithResolvers<void> }[] = []
  let running = false
  const runAll = async () => {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      const of = (member: keyof Transfer) => `{${batch.map(({ transfer }) => transfer[member]).join(',')}}`
      try {
        const parameters = [of('source'), of('target'), of('amount')]
        const [row] = await sql.unsafe<{ moved: boolean[] }[]>(
          'select move_each($1::text::bigint[], $2::text::bigint[], $3::text::bigint[]) as moved',
          parameters,
          { prepare: true },
        )
        for (const [place, { done }] of batch.entries())
          if (row!.moved[place]) done.resolve()
          else done.reject(new Error('The transfer was refused.'))
      } catch (error) {
        for (const { done } of batch) done.reject(error)
      }
    }
    running = false
  }
  return (transfer) => {
    const done = Promise.withResolvers<void>()
    waiting.push({ transfer, done })
    if (!running) void runAll()
    return done.promise
  }
}
