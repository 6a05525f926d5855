import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reading } from '../api/queries.ts'

/** The name of the acting user; the system has none. */
export function ActorName({ guid }: { guid: string | null }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...reading('getUserSummary', { userGuid: guid ?? '' }),
    enabled: guid !== null,
    staleTime: 600_000,
  })
  if (guid === null) return t('timeline.system')
  return data?.body.fullName ?? data?.body.email ?? '…'
}
