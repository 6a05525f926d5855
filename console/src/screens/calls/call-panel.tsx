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
import { CallDialog } from './call-dialog.tsx'

interface CallPanelProps {
  about: { caseGuid: string } | { debtorGuid: string }
}

/** The calls about a case or with a debtor, latest first, with what was promised. One is logged on its case. */
export function CallPanel({ about }: CallPanelProps) {
  const { t } = useTranslation()
  const caseGuid = 'caseGuid' in about ? about.caseGuid : undefined
  const mayLog = useMay('case.write') && caseGuid !== undefined
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
      keyOf={({ callGuid }) => callGuid}
      after={
        logging &&
        caseGuid !== undefined && <CallDialog caseGuid={caseGuid} onClose={() => setLogging(false)} />
      }
    >
      {(call) => <CallEntry call={call} isOfDebtor={caseGuid === undefined} />}
    </ListPanel>
  )
}

const colours: Record<string, string> = { OPEN: 'blue', KEPT: 'teal', BROKEN: 'red', REPLACED: 'gray' }

function CallEntry({ call, isOfDebtor }: { call: Call; isOfDebtor: boolean }) {
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
      <Text size="xs" c="dimmed">
        {[
          isOfDebtor ? t('case.title', { number: call.caseNumber }) : '',
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
