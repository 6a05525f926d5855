import type { Slice } from '../access/serve/slice.ts'
import { serveAllCases } from './all-cases.routes.ts'
import { caseForms } from './cases.forms.ts'
import { serveCases } from './cases.routes.ts'
import { lawReviewCommand } from './law-review/law-review.command.ts'
import { serveLawReviews } from './law-review/law-reviews.routes.ts'
import { liftDueHolds } from './holds/lift-due-holds.ts'
import { objectionForms } from './objections/objections.forms.ts'
import { serveObjections } from './objections/objections.routes.ts'
import { closeDue } from './day-end.ts'

export const casesSlice: Slice = {
  routes: [serveCases, serveAllCases, serveObjections, serveLawReviews],
  commands: () => [lawReviewCommand()],
  forms: (service) => [...caseForms(service), ...objectionForms()],
  dayEnd: (chunkRows) => [
    { name: 'lift-holds', work: liftDueHolds(chunkRows) },
    { name: 'close-time-barred', work: closeDue('TIME_BARRED', chunkRows) },
    { name: 'close-small-balances', work: closeDue('SMALL_BALANCE', chunkRows) },
  ],
}
