/** The wiring: the one file that knows every slice. */
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { serveAudit } from './audit/audit.routes.ts'
import { rollCases } from './cases/accrual.ts'
import { serveCases } from './cases/cases.routes.ts'
import { loadShippedRates } from './cases/reference-rates.store.ts'
import { startBusinessClock } from './clock/business-clock.ts'
import type { Settings } from './config.ts'
import { ListMemory } from './database/list.ts'
import { serveAddresses } from './debtors/addresses.routes.ts'
import { clientForms } from './clients/clients.forms.ts'
import { debtorForms } from './debtors/debtors.forms.ts'
import { serveDebtors } from './debtors/debtors.routes.ts'
import { rollDebtors } from './debtors/debtors.store.ts'
import { serveExtraFields } from './debtors/extra-fields.routes.ts'
import { CustomFields } from './forms/custom-fields.ts'
import { serveForms } from './forms/forms.routes.ts'
import type { FormHandler } from './forms/handler.ts'
import { FormRegistry } from './forms/registry.ts'
import { createHttpApp } from './http/app.ts'
import { serveHealth } from './http/health.ts'
import { servePages } from './http/pages.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { Service } from './http/service.ts'
import { countLookupUses, fieldForms, tablesOf, type FieldWiring } from './fields/fields.forms.ts'
import { keepIndexes } from './forms/keep-indexes.ts'
import { holdingForms } from './holdings/holdings.forms.ts'
import { noteForms } from './items/notes.forms.ts'
import { lookupValueForms } from './lookups/lookup-values.forms.ts'
import { serveLookups } from './lookups/lookups.routes.ts'
import { findLookupValue, isClosedLookup, isShortLookup } from './lookups/registry.ts'
import { planForms } from './plans/plans.forms.ts'
import { servePlans } from './plans/plans.routes.ts'
import { systemSettingForms } from './system/system-settings.forms.ts'
import { userForms } from './users/users.forms.ts'
import { serveItems } from './items/items.routes.ts'
import { serveSearch } from './items/search.routes.ts'
import { serveMessages } from './messages/messages.routes.ts'
import { serveMfa } from './sessions/mfa.routes.ts'
import { serveOAuth2 } from './sessions/oauth2.routes.ts'
import { serveOidc } from './sessions/oidc.routes.ts'
import { serveOwnSessions } from './sessions/own-sessions.routes.ts'
import { serveSessions } from './sessions/sessions.routes.ts'
import { limitsOf, openSessions } from './sessions/sessions.ts'
import { serveInformation } from './system/information.routes.ts'
import { serveNavigation } from './system/navigation.routes.ts'
import { serveSystemDate } from './system/system-date.routes.ts'
import { serveCurrentUser } from './users/current-user.routes.ts'
import { servePasswordReset } from './users/password-reset.routes.ts'
import { serveSecondFactors } from './users/second-factors.routes.ts'
import { serveUsers } from './users/users.routes.ts'
import { version } from './version.ts'

/** What each slice derives from the business date. */
export const dateSteps = [rollDebtors, rollCases]

export interface App {
  forms: FormRegistry
  http: FastifyInstance
  service: Service
  /** Lets requests in flight finish, then ends what runs in the background. The pool stays the caller's. */
  close(): Promise<void>
}

/** Builds the service on a migrated database; it does not listen yet. */
export async function createApp(sql: Sql, settings: Settings, listPool: Sql | null = null): Promise<App> {
  const http = await createHttpApp(settings)
  await loadShippedRates(sql)
  const clock = await startBusinessClock(sql, {
    timeZone: settings.FORDRA_TIME_ZONE,
    steps: dateSteps,
    onError: (error) =>
      http.log.error({ error: (error as Error).message }, 'the business date could not be read'),
  })
  const service: Service = {
    app: http,
    sql,
    settings,
    clock,
    sessions: openSessions(sql, limitsOf(settings)),
    limiter: createRateLimiter(settings.FORDRA_RATE_LIMIT),
    totals: new ListMemory(listPool),
    customFields: new CustomFields(sql),
    version,
  }
  const indexes = keepIndexes(
    sql,
    service.customFields,
    () => tablesOf(forms),
    (error) => http.log.error({ error: (error as Error).message }, 'own indexes could not be made'),
  )
  const forms: FormRegistry = new FormRegistry(
    formsOf(service, { registry: () => forms, onChange: indexes.ask }),
  )
  serveSlices(service, forms)
  return {
    http,
    forms,
    service,
    close: async () => {
      // A connection that is kept alive would hold the end up once its request is answered.
      const closing = setInterval(() => http.server.closeIdleConnections(), 50)
      await http.close().finally(() => clearInterval(closing))
      clock.stop()
      await indexes.stop()
    },
  }
}

/** The forms of every slice. */
const formsOf = (service: Service, wiring: FieldWiring): FormHandler[] => [
  ...fieldForms(service, wiring),
  ...debtorForms(service),
  ...clientForms(service),
  ...planForms(service),
  ...holdingForms(service),
  ...noteForms(),
  ...userForms(service),
  ...lookupValueForms((db, value) => countLookupUses(db, wiring.registry(), value)),
  ...systemSettingForms(service),
]

function serveSlices(service: Service, forms: FormRegistry): void {
  serveHealth(service)
  servePages(service.app, { version, ownFields: () => service.customFields.schemas() })
  serveSessions(service)
  serveMfa(service)
  serveOAuth2(service)
  serveOidc(service)
  serveOwnSessions(service)
  serveInformation(service)
  serveForms(service, forms, {
    has: async (db, caller, code, key) => (await findLookupValue(db, caller, code, key)) !== undefined,
    isClosed: isClosedLookup,
    isShort: isShortLookup,
  })
  serveLookups(service)
  serveNavigation(service, forms)
  serveSearch(service)
  serveSystemDate(service)
  serveAudit(service)
  serveMessages(service)
  serveCurrentUser(service)
  serveUsers(service)
  serveSecondFactors(service)
  servePasswordReset(service)
  serveItems(service)
  serveDebtors(service)
  serveAddresses(service)
  serveExtraFields(service)
  serveCases(service)
  servePlans(service)
}
