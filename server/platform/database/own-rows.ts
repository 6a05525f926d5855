import type { Db } from './transaction.ts'

/** The condition that this transaction wrote a row: of the rows that it sees, others' transactions have ended. */
export const isOwnRow = (tx: Db, alias: string) => tx`
  pg_xact_status((((pg_current_xact_id()::text::bigint >> 32) << 32) + ${tx(alias)}.xmin::text::bigint)::text::xid8) = 'in progress'`
