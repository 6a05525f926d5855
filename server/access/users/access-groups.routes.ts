import { AccessGroupListItem, listAccessGroups } from '../../../contract/access/access-groups.ts'
import { selectList } from '../../platform/database/columns.ts'
import { listRows, type ListSource } from '../../platform/database/list.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = {
  accessGroupGuid: 'g.id',
  code: 'g.code',
  name: 'g.name',
  accessCodes: 'g.access_codes',
  users: '(select count(*)::int from user_access_group x where x.access_group_id = g.id)',
}
const source: ListSource<'accessgroup'> = {
  entity: 'accessgroup',
  from: 'access_group g',
  key: 'g.id',
  select: selectList(columns),
  properties: filterableProperties(AccessGroupListItem, columns),
}
const all = unrestricted('accessgroup', 'They are the installation’s, as in the forms.')

export function serveAccessGroups(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, listAccessGroups, async ({ db, query }) => ({
    body: await listRows<AccessGroupListItem, 'accessgroup'>(db, source, all, query, {
      totals,
      today: clock.today(),
    }),
  }))
}
