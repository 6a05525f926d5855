import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { Checked } from './bank-file.tsx'

/** What a held bank file would do now, for whoever decides on it. */
export function HeldFile({ approvalGuid }: { approvalGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('getApproval', { approvalGuid }))
  const { heldFileGuid, fileName } = (data?.body.input ?? {}) as Record<string, string | null | undefined>
  const checked = useQuery({
    queryKey: ['checkHeldPaymentFile', heldFileGuid],
    queryFn: () => api.checkHeldPaymentFile({ heldFileGuid: heldFileGuid! }),
    enabled: typeof heldFileGuid === 'string',
    staleTime: 0,
    retry: false,
  })
  return (
    <>
      <Text size="sm" fw={500}>
        {[t('bankFile.held'), fileName ?? ''].filter((part) => part !== '').join(' · ')}
      </Text>
      <ProblemAlert error={error ?? checked.error} />
      {checked.data ? <Checked checked={checked.data} /> : !checked.error && <LinesSkeleton lines={3} />}
    </>
  )
}
