import type { Slice } from '../access/serve/slice.ts'
import { serveDocuments } from './letters/documents.routes.ts'
import { serveLetters } from './letters/letters.routes.ts'
import { serveLetterTemplates } from './templates/templates.routes.ts'
import { applyStrategies, applyStrategiesCommand } from './strategies/apply-strategies.ts'
import { strategyForms } from './strategies/strategies.forms.ts'
import { serveStrategies } from './strategies/strategies.routes.ts'
import { loadShippedStrategies } from './strategies/strategies.store.ts'
import { trialForms } from './trials/trials.forms.ts'
import { serveTrials } from './trials/trials.routes.ts'

export const collectionSlice: Slice = {
  load: loadShippedStrategies,
  routes: [serveDocuments, serveLetters, serveLetterTemplates, serveTrials],
  forms: trialForms,
  commands: ({ clock }) => [applyStrategiesCommand(clock)],
  dayEnd: (chunkRows) => [{ name: 'apply-strategies', work: applyStrategies(chunkRows) }],
}

/** The strategies slice. Its strategies may call the given custom services of debtors. */
export const strategySlice = (services: Parameters<typeof strategyForms>[0]): Slice => ({
  routes: [(service) => serveStrategies(service, services)],
  forms: () => strategyForms(services),
})
