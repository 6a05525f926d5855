import type { Slice } from '../access/serve/slice.ts'
import { clientForms } from './clients/clients.forms.ts'
import { serveClients } from './clients/clients.routes.ts'
import { serveAddresses } from './debtors/addresses.routes.ts'
import { debtorForms } from './debtors/debtors.forms.ts'
import { serveDebtors } from './debtors/debtors.routes.ts'
import { rollDebtors } from './debtors/debtors.store.ts'
import { serveExtraFields } from './debtors/extra-fields.routes.ts'
import { serveRetention } from './debtors/retention.routes.ts'
import { holdingForms } from './holdings/holdings.forms.ts'
import { serveHoldings } from './holdings/holdings.routes.ts'

export const partiesSlice: Slice = {
  routes: [serveDebtors, serveAddresses, serveExtraFields, serveRetention, serveClients, serveHoldings],
  forms: (service) => [...debtorForms(service), ...clientForms(service), ...holdingForms(service)],
  dateSteps: [rollDebtors],
}
