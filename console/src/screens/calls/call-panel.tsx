import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Call } from '../../../../contract/work/calls.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { useMay } from '../../session/session.ts'
import { codeLabel, translateLabel } from '../../texts/labels.ts'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { AttachedFiles } from '../attachments/attachment-line.tsx'
import { CallDialog, type CallCase } from './call-dialog.tsx'

interface CallPanelProps {
  about: { caseGuid: string } | { debtorGuid: string }
}

/** The calls about a case or with a debtor, latest first, with what was promised. Each is logged on an open case. */
export function CallPanel({ about }: CallPanelProps) {
  const { t } = useTranslation()
  const caseGuid = 'caseGuid' in about ? about.caseGuid : undefined
  const cases = useCallCases(about)
  const mayLog = useMay('case.write') && cases.length > 0
  const [logging, setLogging] = useState(false)
  useKey(caseKeys.call, () => setLogging(true), mayLog)
  const { data, error } = useQuery(
    reading<'listCaseCalls' | 'listDebtorCalls'>(
      caseGuid === undefined ? 'listDebtorCalls' : 'listCaseCalls',
      { ...about, $top: 50 },
    ),
  )
  return (
    <ListPanel
      title={t('call.title')}
      rows={data?.body.value}
      error={error}
      empty={t('call.none')}
      add={mayLog && { label: t('call.log'), onClick: () => setLogging(true) }}
      getKey={({ callGuid }) => callGuid}
      after={logging && <CallDialog cases={cases} onClose={() => setLogging(false)} />}
    >
      {(call) => <CallEntry call={call} about={about} />}
    </ListPanel>
  )
}

/** What a call can be about: the case, or the open cases of the debtor. */
function useCallCases(about: CallPanelProps['about']): CallCase[] {
  const isOfCase = 'caseGuid' in about
  const overview = useQuery({
    ...reading('getCaseOverview', { debtorGuid: isOfCase ? '' : about.debtorGuid }),
    enabled: !isOfCase,
  })
  if (isOfCase) return [{ caseGuid: about.caseGuid }]
  return (overview.data?.body.cases ?? [])
    .filter(({ status }) => status !== 'CLOSED')
    .map(({ caseGuid, caseNumber, clientName, remainingSum, currencyCode }) => ({
      caseGuid,
      label: [caseNumber, clientName, formatMoney(remainingSum, currencyCode)].join(' · '),
    }))
}

const colours: Record<string, string> = { OPEN: 'blue', KEPT: 'teal', BROKEN: 'red', REPLACED: 'gray' }

function CallEntry({ call, about }: CallPanelProps & { call: Call }) {
  const { t } = useTranslation()
  const { promiseStatus: status, promisedAmount, promisedDate } = call
  const heading = [codeLabel('outcome', call.outcome ?? ''), call.rightParty ? '' : t('call.notTheDebtor')]
  return (
    <div>
      <Text size="sm" fw={500}>
        {heading.filter(Boolean).join(' · ')}
      </Text>
      {promisedAmount !== null && (
        <Group gap={6}>
          <Text size="sm">
            {t('call.promise', {
              amount: formatMoney(promisedAmount, call.currencyCode),
              date: formatDateTime(promisedDate),
            })}
          </Text>
          {status !== null && (
            <Badge size="sm" variant="light" color={colours[status] ?? 'gray'}>
              {translateLabel(`lookup.promisestatus.${status}`, status)}
            </Badge>
          )}
        </Group>
      )}
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {call.text}
      </Text>
      <AttachedFiles about={about} owner={{ callGuid: call.callGuid }} />
      <Text size="xs" c="dimmed">
        {[
          'debtorGuid' in about ? t('case.title', { number: call.caseNumber }) : '',
          call.createdBy,
          formatDateTime(call.createdAt),
          call.shownToClient ? t('call.shown') : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  )
}
