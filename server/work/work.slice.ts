import type { Slice } from '../access/serve/slice.ts'
import { serveBulkActions } from './bulk-actions/bulk-actions.routes.ts'
import { purgeBulkActions } from './bulk-actions/bulk-actions.store.ts'
import { bulkJobs } from './bulk-actions/run-bulk-action.ts'
import { tellOfPromises } from './notifications/tell-handlers.ts'
import { serveNotifications } from './notifications/notifications.routes.ts'
import { serveNotificationEmails } from './notifications/notification-emails.routes.ts'
import { purgeNotifications } from './notifications/notifications.store.ts'
import { workForms } from './work.forms.ts'
import { serveCalls } from './calls.routes.ts'
import { serveWork } from './work.routes.ts'

export const workSlice: Slice = {
  routes: [serveWork, serveCalls, serveBulkActions, serveNotifications, serveNotificationEmails],
  forms: workForms,
  dateSteps: [tellOfPromises],
  purges: [purgeBulkActions, purgeNotifications],
  jobs: (service) => ({ kinds: [bulkJobs(service)] }),
}
