import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Suspense, SuspenseProposal } from '../../../../contract/treasury/suspense.ts'
import { reading } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'

export type Candidate = SuspenseProposal['parts'][number]

interface SuspenseCandidatesProps {
  money: Suspense
  /** The cases that have a part already. */
  taken: ReadonlySet<string>
  onTake: (candidate: Candidate) => void
}

/** The cases that a part of the money may be for, with what remains on each. */
export function SuspenseCandidates({ money, taken, onTake }: SuspenseCandidatesProps) {
  const { t } = useTranslation()
  const { data } = useQuery(reading('listSuspenseProposals', { suspenseGuid: money.suspenseGuid }))
  const parts = data?.body.proposals.flatMap((proposal) => proposal.parts) ?? []
  const candidates = [...new Map(parts.map((part) => [part.caseGuid, part])).values()].filter(
    ({ caseGuid }) => !taken.has(caseGuid),
  )
  if (candidates.length === 0) return null
  return (
    <section aria-label={t('suspense.proposals')}>
      <Text size="sm" fw={500}>
        {t('suspense.proposals')}
      </Text>
      {candidates.map((one) => (
        <Group key={one.caseGuid} justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm">
            {one.caseNumber} · {one.debtorName} · {one.clientName} ·{' '}
            {t('suspense.remains', { amount: formatMoney(one.remainingSum, money.currencyCode) })}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('suspense.takeCase', { number: one.caseNumber })}
            onClick={() => onTake(one)}
          >
            {t('suspense.take')}
          </Button>
        </Group>
      ))}
    </section>
  )
}
