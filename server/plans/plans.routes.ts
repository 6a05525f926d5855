import * as lists from '../../contract/plans/all-plans.ts'
import * as contract from '../../contract/plans/payment-plans.ts'
import { requireDebtor } from '../parties/debtors/debtor-lock.ts'
import { done, notFound } from '../platform/http/errors.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { activatePlan, cancelPlan, changePlanPayments, createPlan } from './plans.changes.ts'
import { shapePlan, type PlanRecord } from './plan-record.ts'
import { preparePlan } from './prepare-plan.ts'
import { listAllPlanPayments, listAllPlans } from './all-plans.store.ts'
import { findPlan, listPlans } from './plans.store.ts'

export function servePlans(service: ServerContext): void {
  const { clock, settings, totals } = service
  const environment = { countryCode: settings.FORDRA_COUNTRY, currencyCode: settings.FORDRA_CURRENCY }

  serve(service, contract.listPaymentPlans, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await listPlans(db, caller, debtor, query, { totals, today: clock.today() }) }
  })

  serve(service, lists.listAllPlans, async ({ db, caller, query }) => ({
    body: await listAllPlans(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, lists.listAllPlanPayments, async ({ db, caller, query }) => ({
    body: await listAllPlanPayments(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.createPaymentPlan, async ({ db, caller, params, body, origin }) => {
    const made = await createPlan(db, caller, { ...params, input: body }, { origin, environment })
    return { ...planAnswer(made), location: `/debtors/${params.debtorGuid}/paymentplans/${made.planGuid}` }
  })

  serve(service, contract.getPaymentPlan, async ({ db, caller, params }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const plan = await findPlan(db, caller, debtor, params.paymentplanGuid)
    if (!plan) throw notFound('payment plan')
    return planAnswer(plan)
  })

  serve(service, contract.updatePaymentPlan, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const version = await changePlanPayments(db, caller, { ...params, input: body, ifMatch }, origin)
    return { body: done('The payment plan is updated.', path), version }
  })

  serve(service, contract.activatePaymentPlan, async ({ db, caller, params, origin, path }) => {
    await activatePlan(db, caller, params, origin)
    return { body: done('The payment plan is active.', path) }
  })

  serve(service, contract.calculatePaymentPlan, async ({ db, caller, params, body }) => {
    const plan = await preparePlan(db, caller, { ...params, input: body }, environment)
    return { body: shapePlan(plan) }
  })

  serve(service, contract.cancelPaymentPlan, async ({ db, caller, params, origin, path }) => {
    await cancelPlan(db, caller, params, origin)
    return { body: done('The payment plan is cancelled.', path) }
  })
}

const planAnswer = (plan: PlanRecord) => ({ body: shapePlan(plan), version: plan.version })
