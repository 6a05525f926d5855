/** What an export for import does not carry, counted: it stays with the installation, or is made anew in the other one. */
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'

/** What it is, and the rows that count. */
const kinds: Record<string, string> = {
  'terms and account of the agency itself: set them before the clients':
    'from party where parent_id is null and (bank_account_no is not null or interest_rate is not null or interest_series is not null or tolerance is not null or fees is not null)',
  'settings of the installation: make them anew': "from system_setting where settings <> '{}'",
  'access groups: make them before the users': 'from access_group',
  'custom fields: make them before the records': 'from user_field where type is not null',
  'values added to lookups: add them before the records': 'from lookup_value',
  'API users: make them anew, with secrets of their own': 'from app_user where api_user',
  'passwords and second factors: each user sets a password by "forgotten password"':
    'from app_user where password_hash is not null and not api_user',
  'reference rates entered by hand: enter them before the cases': 'from reference_rate where edited',
  'statutory fees entered by hand: enter them before the cases':
    'from statutory_fee where edited or not shipped',
  'plan terms and strategies of clients: set them again':
    'from party where strategy_id is not null or plan_first_due_days is not null or plan_interval_type is not null or plan_grace_days is not null',
  'payouts to clients: their money counts as not paid out': 'from payout',
  'bank files': 'from payment_file',
  'money in suspense': "from suspense where status = 'OPEN'",
  'cases with an owner or a next action':
    'from debt_case where owner_user_id is not null or owner_group_id is not null or next_action_date is not null',
  notes: 'from note',
  'attached files': 'from attachment',
  'letters and other documents': 'from document',
  'templates of letters: make them anew': 'from letter_template',
  messages: 'from message',
  'phone calls': 'from phone_call',
  objections: 'from objection',
  'claims demanded together': 'from demand_group',
  'steps of strategies that were taken': 'from strategy_step_taken',
  'trials of strategies': 'from trial',
  'saved dashboards: make them anew': 'from dashboard',
  'approvals that wait': 'from approval',
  webhooks: 'from webhook',
  'schedules of commands': 'from command_schedule',
  'custom values of addresses': "from address where custom <> '{}'",
  'confirmations of addresses': 'from address where validated_at is not null',
}

export interface LeftBehind {
  what: string
  count: number
}

/** Those that there are, with their counts. */
export async function countLeftBehind(db: Db): Promise<LeftBehind[]> {
  const counts = Object.values(kinds).map((rows, index) => `(select count(*)::int ${rows}) as c${index}`)
  const [row] = await runStatement<Record<string, number>>(db, `select ${counts.join(', ')}`, [])
  return Object.keys(kinds)
    .map((what, index) => ({ what, count: row![`c${index}`]! }))
    .filter(({ count }) => count > 0)
}
