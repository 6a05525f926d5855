import type { Slice } from '../access/serve/slice.ts'
import { serveAudit } from './audit/audit.routes.ts'
import { serveDashboard } from './dashboard/dashboard.routes.ts'
import { serveSavedDashboards } from './dashboard/saved/dashboards.routes.ts'
import { restoreDrillCommand } from './drill/drill-command.ts'
import { serveErasure } from './erasure/erasure.routes.ts'
import { serveSetup } from './setup/setup.routes.ts'
import { serveStatements } from './statements/statements.routes.ts'
import { serveReports } from './reports/reports.routes.ts'

export const insightSlice: Slice = {
  routes: [
    serveAudit,
    serveDashboard,
    serveSavedDashboards,
    serveReports,
    serveErasure,
    serveStatements,
    serveSetup,
  ],
  commands: ({ settings, anchor }) => [restoreDrillCommand(settings, anchor.folder)],
}
