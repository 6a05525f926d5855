/** The cases that a debtor could pay by a plan. */
import { runStatement } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { casesOf } from '../http/restriction.ts'

export interface PayableCase {
  caseGuid: string
  caseNumber: string
  clientReference: string | null
  clientGuid: string
  currencyCode: string
  closed: boolean
  registrationDate: string
  /** Its active plan, if any. */
  planGuid: string | null
}

/** The cases that a debtor owes, of the clients that the caller may see, the one registered first first. */
export async function listPayableCases(db: Db, caller: Caller, debtorGuid: string): Promise<PayableCase[]> {
  const scope = casesOf(caller).at(2)
  return runStatement(
    db,
    `select c.id as "caseGuid", c.case_number as "caseNumber", c.client_reference_number as "clientReference",
       c.client_id as "clientGuid", c.currency_code as "currencyCode", c.closure_code is not null as closed,
       c.registration_date as "registrationDate", pc.plan_id as "planGuid"
     from case_debtor cd join debt_case c on c.id = cd.case_id
       left join payment_plan_case pc on pc.case_id = c.id and pc.active
     where cd.debtor_id = $1 and cd.debtor_role in ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE') and ${scope.text}
     order by c.running_number`,
    [debtorGuid, ...scope.parameters],
    { prepare: true },
  )
}
