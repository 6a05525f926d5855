import { InterestRateListItem, listInterestRates } from '../../../contract/ledger/interest-rates.ts'
import { selectList } from '../../platform/database/columns.ts'
import { listRows, type ListSource } from '../../platform/database/list.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { compileOrder } from '../../platform/odata/order.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = {
  interestRateGuid: 'r.id',
  interestSeries: 'r.series',
  validFrom: 'r.valid_from::timestamptz',
  rate: 'r.rate',
  source: 'r.source',
  unverified: 'r.unverified',
  edited: 'r.edited',
}
const properties = filterableProperties(InterestRateListItem, columns)
const source: ListSource<'interestrate'> = {
  entity: 'interestrate',
  from: 'reference_rate r',
  key: 'r.id',
  select: selectList({ ...columns, rate: 'r.rate::float8' }),
  properties,
  defaultOrder: compileOrder(properties, 'interestSeries, validFrom desc', {
    collation: 'fordra_order',
    key: 'r.id',
  }),
}
const all = unrestricted('interestrate', 'Reference rates are public.')

export function serveReferenceRates(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, listInterestRates, async ({ db, query }) => ({
    body: await listRows<InterestRateListItem, 'interestrate'>(db, source, all, query, {
      totals,
      today: clock.today(),
    }),
  }))
}
