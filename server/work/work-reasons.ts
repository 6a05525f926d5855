/**
 * Why a case is in the queue (docs/domain/work.md). Each reason is a query over what happened; nothing is stored for it.
 * To add a reason: its code in contract/work/work.ts, its query here, and the text of `lookup.workreason`.
 */
import { workReasons, type WorkReason } from '../../contract/work/work.ts'
import { isOpen } from '../claims/remaining-amounts.ts'
import { promiseStatus } from './promises.ts'

/** Days before the limitation date on which a case becomes work. */
const limitationWarningDays = 90

const today = '(select business_date from business_clock)'

/** The case that a note `n` is about; of a debtor's note the newest open case of the debtor. */
export const noteCase = `coalesce((select k.id from debt_case k where k.id = n.item_guid),
      (select k.id from debt_case k where k.main_debtor_id = n.item_guid
       order by k.closure_code is not null, k.id desc limit 1))`
const noteTask = `left(string_agg(regexp_replace(n.text, '[[:space:]]+', ' ', 'g'), ' · ' order by n.id), 500)`

/** Queries with the columns case_id, due_date and task. */
const queries: Record<Exclude<WorkReason, 'MENTION'>, string> = {
  // A later promise or an active plan ends the reason.
  PROMISE_BROKEN: `select k.case_id, k.promised_date + 1 as due_date, null::text as task
    from phone_call k join debt_case c on c.id = k.case_id
    where k.promised_date < ${today} and ${isOpen} and ${promiseStatus} = 'BROKEN'
      and not exists (select from phone_call later
        where later.case_id = k.case_id and later.id > k.id and later.promised_date is not null)
      and not exists (select from payment_plan_case pc where pc.case_id = k.case_id and pc.active)`,
  // A plan that replaced the broken one ends the reason.
  PLAN_BROKEN: `select pc.case_id, pp.end_date, null
    from payment_plan pp join payment_plan_case pc on pc.plan_id = pp.id join debt_case c on c.id = pc.case_id
    where pp.end_reason = 'BREACHED' and pc.movements_before is not null and ${isOpen}
      and not exists (select from payment_plan_case other join payment_plan later on later.id = other.plan_id
        where other.case_id = pc.case_id and later.active in (1, 2) and later.registration_date >= pp.end_date)`,
  // While the debtor waits for an answer, the task is the rule that the day follows.
  OBJECTION: `select o.case_id, coalesce(o.answer_by, o.received_date),
      case when o.status = 'OPEN' then o.answer_rule end
    from objection o where o.status in ('OPEN', 'ANSWERED')`,
  PROMISE_DUE: `select k.case_id, k.promised_date, null
    from phone_call k join debt_case c on c.id = k.case_id
    where k.promised_date >= ${today} and ${isOpen} and ${promiseStatus} = 'OPEN'`,
  LIMITATION_NEAR: `select c.id, c.limitation_date - ${limitationWarningDays}, null
    from debt_case c where c.status <> 'CLOSED' and c.limitation_date <= ${today} + ${limitationWarningDays}`,
  FOLLOW_UP: `select c.id, c.next_action_date, c.next_action from debt_case c where c.next_action_date is not null`,
  NOTE_FOLLOW_UP: `select c.id, n.follow_up_date, ${noteTask}
    from note n join debt_case c on c.id = ${noteCase} where n.follow_up_date is not null
    group by c.id, n.follow_up_date`,
  STRATEGY_TASK: `select t.case_id, t.business_date, action ->> 'task'
    from strategy_step s cross join jsonb_array_elements(s.actions) action
      join strategy_step_taken t on t.step_id = s.id join debt_case c on c.id = t.case_id
    where s.actions @> '[{"kind": "task"}]' and action ->> 'kind' = 'task' and t.refused is null and ${isOpen}`,
}

/** Of one user, whoever handles the case. The user is done with it, not the case. */
const mentions = `select 'MENTION' as reason, ${workReasons.indexOf('MENTION')} as rank, c.id as case_id,
      m.mentioned_date as due_date, ${noteTask} as task, m.user_id
    from note_mention m join note n on n.id = m.note_id join debt_case c on c.id = ${noteCase}
    where m.done_date is null group by c.id, m.mentioned_date, m.user_id`

const ofCases = workReasons.filter((reason) => reason !== 'MENTION')

/** The items of work of all cases that nobody has dealt with, as a table expression. */
export const workRows = `(
    select w.*, null::uuid as user_id, w.case_id || '/' || w.reason || '/' || w.due_date as item_id from (
      ${ofCases
        .map(
          (reason) =>
            `select '${reason}' as reason, ${workReasons.indexOf(reason)} as rank, r.* from (${queries[reason]}) r`,
        )
        .join('\n      union all\n      ')}
    ) w where not exists (
      select from work_done done
      where done.case_id = w.case_id and done.reason = w.reason and done.due_date = w.due_date
    )
    union all
    select w.*, w.case_id || '/MENTION/' || w.due_date || '/' || w.user_id from (${mentions}) w
  )`
