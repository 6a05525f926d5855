import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Objection } from '../../../../contract/cases/objections.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { WriteLetter } from '../letters/write-letter.tsx'
import { refreshCase } from './case-changes.ts'

/** What the debtor objects to, complains about or cannot pay, with the day by which an answer is due. */
export function ObjectionPanel({ caseGuid }: { caseGuid: string }) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const [open, setOpen] = useState<{ type: ObjectionStep; guid: string }>()
  const [letter, setLetter] = useState<Objection>()
  const add = () => setOpen({ type: 'create', guid: caseGuid })
  useKey(caseKeys.objection, add, mayWrite)
  const { data, error } = useQuery(
    reading('listObjections', { $filter: `caseGuid eq ${caseGuid}`, $top: 50 }),
  )
  return (
    <ListPanel
      title={t('navigation.objections')}
      rows={data?.body.value}
      error={error}
      empty={t('objections.none')}
      add={mayWrite && { label: t('objections.new'), onClick: add }}
      getKey={({ objectionGuid }) => objectionGuid}
      after={
        <>
          {open && <ObjectionDialog {...open} onClose={() => setOpen(undefined)} />}
          {letter && (
            <WriteLetter
              debtorGuid={letter.debtorGuid}
              caseGuid={null}
              objectionGuid={letter.objectionGuid}
              onClose={() => setLetter(undefined)}
            />
          )}
        </>
      }
    >
      {(one) => (
        <>
          <ObjectionLine one={one} />
          {mayWrite && one.decidedDate === null && (
            <ObjectionButtons
              isAnswered={one.answeredDate !== null}
              onChoose={(type) => setOpen({ type, guid: one.objectionGuid })}
            />
          )}
          {mayWrite && one.status !== 'OPEN' && (
            <Button size="compact-xs" variant="default" onClick={() => setLetter(one)}>
              {t('objections.letter')}
            </Button>
          )}
        </>
      )}
    </ListPanel>
  )
}

export type ObjectionStep = 'create' | 'answer' | 'decide'

function ObjectionLine({ one }: { one: Objection }) {
  const { t } = useTranslation()
  return (
    <div>
      <Group gap="xs">
        <Text size="sm">{translateLabel(`lookup.objectionmatter.${one.matter}`, one.matter ?? '')}</Text>
        <Badge variant="light" size="sm">
          {translateLabel(`lookup.objectionstatus.${one.status}`, one.status)}
        </Badge>
        {one.amount !== null && <Text size="sm">{formatMoney(one.amount, one.currencyCode ?? '')}</Text>}
      </Group>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {one.reason}
      </Text>
      {one.answeredDate !== null && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {t('objections.answered', { date: formatDateTime(one.answeredDate) })} {one.answer}
        </Text>
      )}
      {one.decidedDate === null && one.answeredDate === null && one.answerBy !== null && (
        <Text size="xs" c={one.isOverdue ? 'red' : 'dimmed'}>
          {t(one.isOverdue ? 'objections.overdueSince' : 'objections.by', {
            date: formatDateTime(one.answerBy),
          })}
        </Text>
      )}
    </div>
  )
}

export function ObjectionButtons({
  isAnswered,
  onChoose,
}: {
  isAnswered: boolean
  onChoose: (step: 'answer' | 'decide') => void
}) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" wrap="nowrap">
      {!isAnswered && (
        <Button size="compact-xs" variant="default" onClick={() => onChoose('answer')}>
          {t('objections.answer')}
        </Button>
      )}
      <Button size="compact-xs" onClick={() => onChoose('decide')}>
        {t('objections.decide')}
      </Button>
    </Group>
  )
}

export function ObjectionDialog({
  type,
  guid,
  onClose,
}: {
  type: ObjectionStep
  guid: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const titles = {
    create: 'objections.new',
    answer: 'objections.answer',
    decide: 'objections.decide',
  } as const
  return (
    <FormDialog
      title={t(titles[type])}
      entity="objection"
      type={type}
      place={{ id: guid }}
      onDone={() => {
        noticeDone(t('form.stored'))
        void refresh('listObjections', 'getCasePermissions')
        void refreshCase()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
