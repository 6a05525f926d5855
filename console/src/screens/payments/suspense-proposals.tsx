import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Suspense, SuspenseProposal } from '../../../../contract/treasury/suspense.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useFirstFocus } from '../../widgets/use-first-focus.ts'
import { useWork } from '../../widgets/use-work.ts'

interface SuspenseProposalsProps {
  money: Suspense
  /** Called after the money was booked. */
  onBooked: () => Promise<void>
}

/** Books a proposal: on its case, or divided over its cases. */
async function book({ suspenseGuid }: Suspense, { parts }: SuspenseProposal): Promise<void> {
  const [first, ...others] = parts
  if (others.length === 0) await api.allocateSuspense({ suspenseGuid, body: { caseGuid: first!.caseGuid } })
  else
    await api.divideSuspense({
      suspenseGuid,
      body: { parts: parts.map(({ caseGuid, amount }) => ({ caseGuid, amount })) },
    })
}

/** The cases that the money may be for, each with the reasons and a button that books it. */
export function SuspenseProposals({ money, onBooked }: SuspenseProposalsProps) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listSuspenseProposals', { suspenseGuid: money.suspenseGuid }))
  const proposals = data?.body.proposals
  if (error) return <ProblemAlert error={error} />
  if (!proposals) return <LinesSkeleton lines={2} />
  if (proposals.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('suspense.noProposal')}
      </Text>
    )
  return <Proposals money={money} proposals={proposals} onBooked={onBooked} />
}

interface ProposalsProps extends SuspenseProposalsProps {
  proposals: readonly SuspenseProposal[]
}

function Proposals({ money, proposals, onBooked }: ProposalsProps) {
  const { t } = useTranslation()
  const work = useWork()
  const list = useFirstFocus<HTMLElement>()
  const run = (proposal: SuspenseProposal) => void work.run(() => book(money, proposal).then(onBooked))
  return (
    <section ref={list} aria-label={t('suspense.proposals')}>
      <Text size="sm" fw={500}>
        {t('suspense.proposals')}
      </Text>
      <ul className="explanation">
        {proposals.map((proposal, index) => (
          <li key={proposal.parts.map(({ caseGuid }) => caseGuid).join()} className="lined">
            <Parts proposal={proposal} currencyCode={money.currencyCode} />
            <Button
              size="xs"
              variant={index === 0 ? 'filled' : 'default'}
              loading={work.busy}
              onClick={() => run(proposal)}
            >
              {t('suspense.book')}
            </Button>
          </li>
        ))}
      </ul>
      <ProblemAlert error={work.error} />
    </section>
  )
}

function Parts({ proposal, currencyCode }: { proposal: SuspenseProposal; currencyCode: string }) {
  const { t } = useTranslation()
  return (
    <Stack gap={4}>
      {proposal.parts.map(({ caseGuid, caseNumber, debtorName, clientName, amount, remainingSum }) => (
        <div key={caseGuid}>
          <Text size="sm">
            {caseNumber} · {debtorName} · {clientName}
          </Text>
          <Text size="xs" c="dimmed">
            {t('suspense.ofRemaining', {
              amount: formatMoney(amount, currencyCode),
              remaining: formatMoney(remainingSum, currencyCode),
            })}
          </Text>
          {amount > remainingSum && (
            <Text size="xs" fw={500}>
              {t('suspense.overpays', { surplus: formatMoney(amount - remainingSum, currencyCode) })}
            </Text>
          )}
        </div>
      ))}
      <Group gap={6}>
        {proposal.reasons.map((reason) => (
          <Badge key={reason} variant="light" tt="none" fw={500} color="fjord">
            {translateLabel(`lookup.proposalreason.${reason}`, reason)}
          </Badge>
        ))}
      </Group>
    </Stack>
  )
}
