import { languages } from '../../../contract/platform/languages.ts'
import { listUserFields, UserFieldListItem } from '../../../contract/access/user-fields.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { listRows, type ListSource } from '../../platform/database/list.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { compileOrder } from '../../platform/odata/order.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { labelMember } from './fields.rules.ts'

const columns = {
  ...memberColumns(Object.keys(UserFieldListItem.properties), 'f', { fieldGuid: 'id' }),
  ...Object.fromEntries(languages.map((language) => [labelMember(language), `(f.labels ->> '${language}')`])),
  defaultValue: "(f.default_value #>> '{}')",
}
const properties = filterableProperties(UserFieldListItem, columns)
const source: ListSource<'field'> = {
  entity: 'field',
  from: 'user_field f',
  key: 'f.id',
  select: selectList(columns),
  properties,
  defaultOrder: compileOrder(properties, 'entity, code', { collation: 'fordra_order', key: 'f.id' }),
}
const all = unrestricted('field', 'They are the installation’s, and shown to everybody by S9.')

export function serveFields(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, listUserFields, async ({ db, query }) => ({
    body: await listRows<UserFieldListItem, 'field'>(db, source, all, query, {
      totals,
      today: clock.today(),
    }),
  }))
}
