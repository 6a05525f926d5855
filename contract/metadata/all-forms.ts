/** Every form of the service, as data. `server/metadata/forms/forms.test.ts` compares it with the served forms. */
import * as approvals from './forms/approvals.ts'
import * as cases from './forms/cases.ts'
import * as clients from './forms/clients.ts'
import * as debtors from './forms/debtors.ts'
import * as fields from './forms/fields.ts'
import type { Form } from './forms/form.ts'
import * as holdings from './forms/holdings.ts'
import * as movements from './forms/movements.ts'
import * as objections from './forms/objections.ts'
import * as paymentPlans from './forms/payment-plans.ts'
import * as rates from './forms/rates.ts'
import * as strategies from './forms/strategies.ts'
import * as system from './forms/system.ts'
import * as trials from './forms/trials.ts'
import * as users from './forms/users.ts'
import * as work from './forms/work.ts'

const isForm = (value: object): value is Form => 'entity' in value && 'groups' in value && 'submit' in value

/** A module exports a form, or an object with the forms of an entity. */
const formsIn = (value: unknown): Form[] => {
  if (typeof value !== 'object' || value === null) return []
  return isForm(value) ? [value] : Object.values(value).filter(isForm)
}

const modules: readonly object[] = [
  debtors,
  cases,
  work,
  movements,
  objections,
  paymentPlans,
  clients,
  holdings,
  users,
  approvals,
  fields,
  rates,
  strategies,
  trials,
  system,
]
export const forms: readonly Form[] = modules.flatMap((module) => Object.values(module).flatMap(formsIn))
