import { languages } from '../../../contract/platform/languages.ts'
import { listLookupValues, LookupValueListItem } from '../../../contract/metadata/lookup-values.ts'
import { selectList } from '../../platform/database/columns.ts'
import { listRows, type ListSource } from '../../platform/database/list.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { compileOrder } from '../../platform/odata/order.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { descriptionMember } from './lookup-values.changes.ts'

const columns = {
  lookupValueGuid: 'v.id',
  lookupCode: 'v.lookup_code',
  lookupKey: 'v.lookup_key',
  position: 'v.position',
  ...Object.fromEntries(
    languages.map((language) => [descriptionMember(language), `(v.descriptions ->> '${language}')`]),
  ),
}
const properties = filterableProperties(LookupValueListItem, columns)
const source: ListSource<'lookupvalue'> = {
  entity: 'lookupvalue',
  from: 'lookup_value v',
  key: 'v.id',
  select: selectList(columns),
  properties,
  defaultOrder: compileOrder(properties, 'lookupCode, position, lookupKey', {
    collation: 'fordra_order',
    key: 'v.id',
  }),
}
const all = unrestricted('lookupvalue', 'They are the installation’s, and offered to everybody by S7.')

export function serveLookupValues(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, listLookupValues, async ({ db, query }) => ({
    body: await listRows<LookupValueListItem, 'lookupvalue'>(db, source, all, query, {
      totals,
      today: clock.today(),
    }),
  }))
}
