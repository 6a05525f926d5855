import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseStatement } from '../../../../../contract/cases/case-statement.ts'
import { api } from '../../../api/client.ts'
import { reading } from '../../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber, textCulture } from '../../../format/format.ts'
import { saveBytes } from '../../../lists/save-file.ts'
import { capitalise, translateLabel } from '../../../texts/labels.ts'
import { LinesSkeleton, Panel } from '../../../widgets/page.tsx'
import { ProblemAlert } from '../../../widgets/problem-alert.tsx'
import { useWork } from '../../../widgets/use-work.ts'
import type { PastDays } from '../amounts-panel.tsx'
import { StatementEvents } from './statement-events.tsx'
import { StatementTable } from './statement-table.tsx'

const linesAtFirst = 25
/** The most lines of one answer. The PDF has more. */
const linesMax = 500

/** The ledger of a case as a statement of account, latest line first. With `days` as it was, to read only. */
export function StatementPanel({ caseGuid, days }: { caseGuid: string; days?: PastDays }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState('')
  const [lines, setLines] = useState(linesAtFirst)
  const asked = { caseGuid, culture: textCulture(), ...(kind && { kind }), ...days }
  const { data, error } = useQuery({
    ...reading('getCaseStatement', { ...asked, $orderby: 'valueDate desc', $top: lines }),
    placeholderData: keepPreviousData,
  })
  const statement = data?.body
  const pdf = useWork()
  const print = async () => {
    const { body } = await api.withAnswer.getCaseStatement({ ...asked, format: 'pdf' })
    saveBytes(body, 'application/pdf', `${statement!.caseNumber}.pdf`)
  }
  const hidden = statement ? Math.min(statement.total, linesMax) - statement.count : 0
  return (
    <Panel
      title={t('statement.title')}
      actions={
        <Group gap="xs" className="no-print">
          <KindFilter kinds={statement?.kinds ?? []} kind={kind} onKind={setKind} />
          <Button
            size="compact-sm"
            variant="default"
            disabled={!statement}
            loading={pdf.busy}
            onClick={() => void pdf.run(print)}
          >
            {t('statement.pdf')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => window.print()}>
            {t('action.print')}
          </Button>
        </Group>
      }
    >
      <ProblemAlert error={error ?? pdf.error} />
      {!statement && !error && <LinesSkeleton lines={4} />}
      {statement && (
        <>
          <Owed statement={statement} />
          {kind && (
            <Text size="xs" c="dimmed" mb="xs">
              {t('statement.filtered')}
            </Text>
          )}
          <StatementTable statement={statement} isPast={days !== undefined} />
          {hidden > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              className="no-print"
              onClick={() => setLines(Math.min(lines + 100, linesMax))}
            >
              {t('statement.more', { count: Math.min(hidden, 100) })}
            </Button>
          )}
          {statement.total > linesMax && (
            <Text size="xs" c="dimmed">
              {t('statement.rest', { total: formatNumber(statement.total) })}
            </Text>
          )}
          <StatementEvents events={statement.events} />
        </>
      )}
    </Panel>
  )
}

interface KindFilterProps {
  kinds: readonly string[]
  kind: string
  onKind: (kind: string) => void
}

function KindFilter({ kinds, kind, onKind }: KindFilterProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      size="xs"
      aria-label={t('statement.kind')}
      value={kind}
      onChange={({ currentTarget }) => onKind(currentTarget.value)}
      data={[
        { value: '', label: t('statement.all') },
        ...kinds.map((one) => ({
          value: one,
          label: capitalise(translateLabel(`lookup.transactionkind.${one}`, one)),
        })),
      ]}
    />
  )
}

/** What is owed on the last day, and how much of it is interest that no line shows yet. */
function Owed({ statement }: { statement: CaseStatement }) {
  const { t } = useTranslation()
  const { owed, unbookedInterest, to, currencyCode } = statement
  return (
    <ul className="explanation">
      <li className="lined">
        <Text size="sm" fw={600}>
          {t('statement.owed', { date: formatDateTime(to) })}
        </Text>
        <Text size="sm" fw={600}>
          {formatMoney(owed, currencyCode)}
        </Text>
      </li>
      {unbookedInterest !== 0 && (
        <li className="lined">
          <Text size="sm">{t('statement.interest')}</Text>
          <Text size="sm">{formatMoney(unbookedInterest, currencyCode)}</Text>
        </li>
      )}
    </ul>
  )
}
