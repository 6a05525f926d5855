import { AccessGroup } from '../../contract/access-groups.ts'
import { selectOf } from '../database/columns.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import type { Db } from '../database/transaction.ts'
import { unrestricted } from '../http/restriction.ts'
import { propertiesOf } from '../odata/properties.ts'

const columns = { accessGroupGuid: 'g.id', code: 'g.code', name: 'g.name' }
const source: ListSource<'accessgroup'> = {
  entity: 'accessgroup',
  from: 'access_group g',
  key: 'g.id',
  select: `${selectOf(columns)}, g.access_codes as "accessCodes"`,
  properties: propertiesOf(AccessGroup, columns),
}

export const listAccessGroups = (
  db: Db,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AccessGroup>> =>
  listRows<AccessGroup, 'accessgroup'>(
    db,
    source,
    unrestricted('accessgroup', 'read by user.admin alone, and of no client'),
    query,
    context,
  )
