import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { listApprovals } from '../../../../contract/access/approvals.ts'
import { reading } from '../../api/queries.ts'
import { useUser } from '../../session/session.ts'

/** How many acts of others wait for a second person; nothing when there are none. */
export function WaitingApprovals() {
  const { t } = useTranslation()
  const { uniqueId, accessCodes } = useUser()
  const { data } = useQuery({
    ...reading('listApprovals', {
      $filter: `status eq 'WAITING' and requestedByGuid ne ${uniqueId}`,
      $top: 0,
    }),
    enabled: listApprovals.access.some((code) => accessCodes.includes(code)),
  })
  const count = data?.body.total ?? 0
  if (count === 0) return null
  return (
    <Alert variant="light" p="sm">
      <Anchor component={Link} to="/approvals" size="sm" fw={500}>
        {t('approvals.waiting', { count })}
      </Anchor>
    </Alert>
  )
}
