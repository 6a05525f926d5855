import { commands } from '../../contract/platform/commands.ts'
import type { DayEndStep, LedgerCheck, Purge, Slice } from '../access/serve/slice.ts'
import { serveLookups } from '../metadata/lookups/lookups.routes.ts'
import { listedLookup } from '../metadata/lookups/static-lookups.ts'
import type { CommandHandler } from '../platform/jobs/command.ts'
import { commandJobs, serveCommands } from './commands/commands.routes.ts'
import { forgetLaterDays } from './commands/day-end.store.ts'
import { dayEndCommand, dayEndSchedule } from './commands/day-end.ts'
import { startDueSchedules } from './commands/schedules.changes.ts'
import { scheduleForms } from './commands/schedules.forms.ts'
import { serveSchedules } from './commands/schedules.routes.ts'
import {
  checkAuditChain,
  purgeExpiredCommand,
  rebuildSearchCommand,
  retryJobsCommand,
  verifyLedgerCommand,
} from './commands/upkeep.ts'
import { serveAssistants } from './assistants/assistants.routes.ts'
import { shareDeliveries } from './feed/deliver.ts'
import { webhookForms } from './feed/webhooks.forms.ts'
import { serveWebhooks } from './feed/webhooks.routes.ts'
import { deliveryTask, purgeDeliveries, queueLostDeliveries } from './feed/webhooks.store.ts'
import { importCommands } from './imports/import-upload.ts'
import { serveInspections } from './imports/inspection/inspections.routes.ts'
import { serveUploads } from './imports/uploads.routes.ts'
import { purgeUploads } from './imports/uploads.store.ts'
import { serveOData } from './odata/odata.routes.ts'
import { listServiceDefinitions, type LoadedService } from './services/load-services.ts'
import type { ServiceRunner } from './services/run-service.ts'
import { serveServices, serviceJobs } from './services/services.routes.ts'
import { purgeServiceData } from './services/services.store.ts'

export const integrationSlice: Slice = {
  routes: [serveSchedules, serveWebhooks, serveUploads, serveInspections, serveOData, serveAssistants],
  forms: (service) => [...webhookForms(service), ...scheduleForms(service)],
  commands: ({ settings }) => [
    retryJobsCommand,
    rebuildSearchCommand,
    ...importCommands({ countryCode: settings.FORDRA_COUNTRY, currencyCode: settings.FORDRA_CURRENCY }),
  ],
  dateSteps: [forgetLaterDays],
  checks: [checkAuditChain],
  purges: [purgeServiceData, purgeDeliveries, purgeUploads],
  jobs: ({ app, sql, settings, outbound }) => {
    const deliver = shareDeliveries({ sql, settings, outbound, log: app.log })
    return {
      tasks: { [deliveryTask]: (payload, signal) => deliver((payload as { id: string }).id, signal) },
      schedules: [dayEndSchedule(settings.FORDRA_TIME_ZONE, settings.FORDRA_DAY_END_HOUR)],
      schedulers: [(db) => startDueSchedules(db, settings.FORDRA_TIME_ZONE)],
      sweeps: [queueLostDeliveries],
    }
  },
}

/** The commands that work on all rooms: day-end, ledger verification, purge. */
export const upkeepSlice = (all: {
  dayEnd: readonly DayEndStep[]
  checks: readonly LedgerCheck[]
  purges: readonly Purge[]
}): Slice => ({
  commands: ({ clock }) => [
    dayEndCommand(clock, all.dayEnd),
    verifyLedgerCommand(all.checks),
    purgeExpiredCommand(all.purges),
  ],
})

/** Runs the commands of all rooms. */
export function commandSlice(all: readonly CommandHandler[]): Slice {
  const handlers = commands.flatMap(({ command }) => all.filter((handler) => handler.command === command))
  return {
    routes: [(service) => serveCommands(service, handlers)],
    jobs: () => ({ kinds: [commandJobs(handlers)] }),
  }
}

/** The custom services of the installation. */
export function serviceSlice(runner: ServiceRunner, services: readonly LoadedService[]): Slice {
  const entries = listServiceDefinitions(services).map(({ code, scope, description }) => ({
    key: code,
    description,
    under: [scope],
  }))
  return {
    routes: [
      () => serveServices(runner, services),
      (service) => serveLookups(service, { servicedefinition: listedLookup(entries) }),
    ],
    jobs: () => ({ kinds: [serviceJobs(runner, services)] }),
  }
}
