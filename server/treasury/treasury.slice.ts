import type { Slice } from '../access/serve/slice.ts'
import { servePaymentFiles } from './bank-files/payment-files.routes.ts'
import { paymentFileJobs } from './posting/payment-file-jobs.ts'
import { purgeHeldFiles } from './held-files/remove-held-files.ts'
import { checkTrust } from './bank-files/verify-trust.ts'
import { countHeldMoney } from './payouts/count-held-money.ts'
import { servePayouts } from './payouts/payouts.routes.ts'
import { readTriedTrust } from './tried-trust.store.ts'

export const treasurySlice: Slice = {
  routes: [servePaymentFiles, servePayouts],
  checks: [checkTrust],
  purges: [purgeHeldFiles],
  readMoney: readTriedTrust,
  jobs: () => ({ kinds: [paymentFileJobs], schedulers: [countHeldMoney] }),
}
