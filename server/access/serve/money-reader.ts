import type { DryRunMoneyRow } from '../../../contract/platform/dry-run.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** The rows that a dry run's transaction booked. Their transactions' GUIDs come after `after`. */
export type MoneyReader = (tx: Db, after: string) => Promise<readonly DryRunMoneyRow[]>
