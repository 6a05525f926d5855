import { basePath } from '../../../contract/api.ts'
import * as contract from '../../../contract/parties/clients.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findClientWithTerms, listClients } from './clients.store.ts'

export function serveClients(service: ServerContext): void {
  const { clock, customFields, totals } = service

  serve(service, contract.listClients, async ({ db, caller, query }) => ({
    body: await listClients(db, caller, query, {
      totals,
      today: clock.today(),
      customFields: customProperties(await customFields.of('client'), 'p'),
    }),
  }))

  serve(service, contract.getClient, async ({ db, caller, params: { clientGuid } }) => {
    const found = await findClientWithTerms(db, caller, clientGuid)
    if (!found) throw notFound('client')
    const { version, ...body } = found
    const href = `${basePath}/clients/${clientGuid}`
    const self = { type: 'GET', name: 'self', href, resource: 'client', guid: clientGuid }
    return { body: { ...body, links: [self] }, version }
  })
}
