import type { Slice } from '../access/serve/slice.ts'
import { accrueInterestCommand } from './accrue-interest.ts'
import { rollCases } from './accrual.ts'
import { missingRatesStep } from './rates/missing-rates.ts'
import { rateForms } from './rates/rates.forms.ts'
import { loadShippedRates } from './rates/reference-rates.changes.ts'
import { serveReferenceRates } from './rates/reference-rates.routes.ts'
import { loadShippedFees } from './rates/statutory-fees.changes.ts'
import { serveStatutoryFees } from './rates/statutory-fees.routes.ts'
import { readTriedBookings } from './tried-bookings.store.ts'
import { checkLedger } from './verify-ledger.ts'

export const ledgerSlice: Slice = {
  load: async (sql, today) => {
    await loadShippedRates(sql, today)
    await loadShippedFees(sql)
  },
  routes: [serveStatutoryFees, serveReferenceRates],
  forms: rateForms,
  commands: (service) => [accrueInterestCommand(service)],
  dateSteps: [rollCases],
  dayEnd: () => [missingRatesStep],
  checks: [checkLedger],
  readMoney: readTriedBookings,
}
