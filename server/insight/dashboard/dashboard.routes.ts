import { getCaseCosts } from '../../../contract/insight/case-costs.ts'
import * as contract from '../../../contract/insight/dashboard.ts'
import { getPromisePerformance } from '../../../contract/insight/promise-performance.ts'
import { getRecovery } from '../../../contract/insight/recovery.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findSystemSettings } from '../../metadata/system/system-settings.changes.ts'
import { findFilteredCaller } from './client-filter.ts'
import { readCollected } from './collected.store.ts'
import { toPrices } from './costs.rules.ts'
import { readCaseCosts } from './costs.store.ts'
import { readLiquidityForecast, readPlanPerformance } from './plans.store.ts'
import { readPortfolio } from './portfolio.store.ts'
import { readRecovery } from './recovery.store.ts'
import { readPromisePerformance } from './promises.store.ts'

const usualMonths = 12

export function serveDashboard(service: ServerContext): void {
  const environment = {
    countryCode: service.settings.FORDRA_COUNTRY,
    currencyCode: service.settings.FORDRA_CURRENCY,
  }
  const makeSpan = ({ months = usualMonths }: { months?: number }) => ({
    today: service.clock.today(),
    months,
  })

  serve(service, contract.getPortfolio, async ({ db, caller, query }) => ({
    body: await readPortfolio(
      db,
      await findFilteredCaller(db, caller, query.clientGuid),
      service.clock.today(),
    ),
  }))
  serve(service, contract.getCollected, async ({ db, caller, query }) => ({
    body: await readCollected(db, await findFilteredCaller(db, caller, query.clientGuid), makeSpan(query)),
  }))
  serve(service, getPromisePerformance, async ({ db, caller, query }) => ({
    body: await readPromisePerformance(
      db,
      await findFilteredCaller(db, caller, query.clientGuid),
      makeSpan(query),
    ),
  }))
  serve(service, getRecovery, async ({ db, caller, query }) => ({
    body: await readRecovery(db, await findFilteredCaller(db, caller, query.clientGuid), makeSpan(query)),
  }))
  serve(service, getCaseCosts, async ({ db, caller, query }) => {
    const { settings } = await findSystemSettings(db, environment)
    const seen = await findFilteredCaller(db, caller, query.clientGuid)
    return { body: await readCaseCosts(db, seen, { ...makeSpan(query), prices: toPrices(settings) }) }
  })
  serve(service, contract.getPlanPerformance, async ({ db, caller, query }) => ({
    body: await readPlanPerformance(
      db,
      await findFilteredCaller(db, caller, query.clientGuid),
      makeSpan(query),
    ),
  }))
  serve(service, contract.getLiquidityForecast, async ({ db, caller, query }) => ({
    body: await readLiquidityForecast(
      db,
      await findFilteredCaller(db, caller, query.clientGuid),
      makeSpan(query),
    ),
  }))
}
