/** The end of a sandbox's night: which steps the law refused for the first time. */
import type { DayEndStep } from '../../../access/serve/slice.ts'
import { runStatement } from '../../../platform/database/statement.ts'

export const refusalsStepName = 'sandbox-refusals'

export interface RefusedStep {
  caseNumber: string
  currencyCode: string
  /** Strategy and step. */
  step: string
  /** The code of the rule. Null when something else refused it, such as the life-cycle of the case. */
  rule: string | null
}

export interface RefusalFigures {
  first: RefusedStep[]
}

/** The code that `describeRefusal` writes first into what is stored. */
const ruleIn = (text: string) => `substring(${text} from '\\(([A-Z]{2}-[A-Z0-9-]+)[,:] ')`

/**
 * A step is tried again every night until the law allows it, and only its last refusal is stored. So every night keeps what
 * was refused for the first time; a step counts once for each rule.
 */
export const refusalsStep: DayEndStep = {
  name: refusalsStepName,
  work: {
    none: { first: [] },
    count: async () => 0,
    run: async (tx, _state, { businessDate }) => {
      const first = await runStatement<RefusedStep>(
        tx,
        `with refused as (
           select c.case_number, c.currency_code, g.code || '/' || s.code as step, ${ruleIn('k.refused')} as rule
           from strategy_step_taken k join strategy_step s on s.id = k.step_id join strategy g on g.id = s.strategy_id
             join debt_case c on c.id = k.case_id
           where k.refused is not null and k.business_date = $1::date
         ), known as (
           select r ->> 'caseNumber' as case_number, r ->> 'step' as step, r ->> 'rule' as rule
           from day_end_step d cross join jsonb_array_elements(d.result -> 'first') r
           where d.step = '${refusalsStepName}' and d.business_date < $1::date
         )
         select case_number as "caseNumber", currency_code as "currencyCode", step, rule from refused r
         where not exists (select from known k where k.case_number = r.case_number and k.step = r.step
           and k.rule is not distinct from r.rule)
         order by 1, 3, 4`,
        [businessDate],
      )
      const figures: RefusalFigures = { first: [...first] }
      return { figures, place: null, isDone: true, worked: 0 }
    },
  },
}
