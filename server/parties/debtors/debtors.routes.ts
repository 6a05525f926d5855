import * as contract from '../../../contract/parties/debtors.ts'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { Link } from '../../../contract/metadata/fields.ts'
import { basePath } from '../../../contract/api.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { allowsDuplicate, changeDebtor, createDebtor, prepareDebtor } from './debtors.changes.ts'
import * as store from './debtors.store.ts'

export function serveDebtors(service: ServerContext): void {
  const { settings, clock, customFields, totals } = service

  serve(service, contract.listDebtors, async ({ db, caller, query }) => ({
    body: await store.listDebtors(db, caller, query, {
      totals,
      today: clock.today(),
      customFields: customProperties(await customFields.of('debtor'), 'd'),
    }),
  }))

  serve(service, contract.createDebtor, async ({ db, caller, body, origin, headers }) => {
    const debtor = prepareDebtor(body, {
      countryCode: settings.FORDRA_COUNTRY,
      today: clock.today(),
      language: caller.language,
    })
    const made = await createDebtor(db, caller, debtor, { origin, allowDuplicate: allowsDuplicate(headers) })
    return { ...makeResponse(made), location: `/debtors/${made.debtorGuid}` }
  })

  serve(service, contract.getDebtor, async ({ db, caller, params }) => {
    const debtor = await store.findDebtor(db, caller, params.debtorGuid)
    if (!debtor) throw notFound('debtor')
    return makeResponse(debtor)
  })

  serve(
    service,
    contract.updateDebtor,
    async ({ db, caller, params, body, origin, headers, ifMatch, path }) => {
      const change = { debtorGuid: params.debtorGuid, input: body, allowDuplicate: allowsDuplicate(headers) }
      const version = await changeDebtor(db, caller, change, {
        origin,
        countryCode: settings.FORDRA_COUNTRY,
        ifMatch,
      })
      return { body: done('The debtor is updated.', path), version }
    },
  )
}

function makeResponse({ version, ...debtor }: store.StoredDebtor & { version: number }): {
  body: Debtor
  version: number
} {
  return { body: Object.assign(debtor, { links: buildLinks(debtor.debtorGuid) }), version }
}

const linkNames = ['self', 'addresses', 'cases', 'caseoverview', 'extrafields', 'paymentplans']

function buildLinks(debtorGuid: string): Link[] {
  const self = `${basePath}/debtors/${debtorGuid}`
  return linkNames.map((name) => ({
    type: 'GET',
    name,
    href: name === 'self' ? self : `${self}/${name}`,
    resource: name === 'self' ? 'debtor' : name,
    guid: debtorGuid,
  }))
}
