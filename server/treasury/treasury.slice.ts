import type { Slice } from '../access/serve/slice.ts'
import { paymentFileJobs, servePaymentFiles } from './bank-files/payment-files.routes.ts'
import { checkTrust } from './bank-files/verify-trust.ts'
import { servePayouts } from './payouts/payouts.routes.ts'
import { readTriedTrust } from './tried-trust.store.ts'

export const treasurySlice: Slice = {
  routes: [servePaymentFiles, servePayouts],
  checks: [checkTrust],
  readMoney: readTriedTrust,
  jobs: () => ({ kinds: [paymentFileJobs] }),
}
