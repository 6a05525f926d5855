import { listSetupSteps } from '../../../contract/insight/setup-steps.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { judgeSetup } from './setup.rules.ts'
import { findAgencyFacts, listClientFacts, listCountryFacts } from './setup.store.ts'

export function serveSetup(service: ServerContext): void {
  const { clock, settings } = service

  serve(service, listSetupSteps, async ({ db }) => {
    const agency = await findAgencyFacts(db)
    const clients = await listClientFacts(db)
    const countries = await listCountryFacts(db, { agency, clients, today: clock.today() })
    const hasLetterFolder = settings.FORDRA_LETTERS !== undefined
    const hasMailServer = settings.FORDRA_SMTP_URL !== undefined
    const hasPublicUrl = settings.FORDRA_PUBLIC_URL !== undefined
    const value = judgeSetup({ agency, clients, countries, hasLetterFolder, hasMailServer, hasPublicUrl })
    return { body: { agencyGuid: agency.agencyGuid, isEmpty: !agency.hasCase, value } }
  })
}
