import { StateBadge } from '../../widgets/state-badge.tsx'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Document } from '../../../../contract/collection/documents.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { useMay } from '../../session/session.ts'
import { codeLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { refreshLetters } from './letter-changes.ts'
import { LetterDialog } from './letter-dialog.tsx'
import { WriteLetter } from './write-letter.tsx'

type Open = { what: 'write' } | { what: 'show' | 'withdraw'; letter: Document }

/** The letters to a debtor: of one case, with those about all that the debtor owes, or of all cases. */
export function LetterPanel({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid?: string }) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const [open, setOpen] = useState<Open>()
  const filter = caseGuid === undefined ? {} : { $filter: `caseGuid eq ${caseGuid} or caseGuid eq null` }
  const { data, error } = useQuery(reading('listDocuments', { debtorGuid, $top: 50, ...filter }))
  const close = () => setOpen(undefined)
  useKey(caseKeys.letter, () => setOpen({ what: 'write' }), mayWrite)
  return (
    <ListPanel
      title={t('letters.title')}
      rows={data?.body.value}
      error={error}
      empty={t('letters.none')}
      add={mayWrite && { label: t('letters.new'), onClick: () => setOpen({ what: 'write' }) }}
      getKey={({ documentGuid }) => documentGuid}
      after={
        <>
          {open?.what === 'write' && (
            <WriteLetter debtorGuid={debtorGuid} caseGuid={caseGuid ?? null} onClose={close} />
          )}
          {open?.what === 'show' && <LetterDialog letter={open.letter} onClose={close} />}
          {open?.what === 'withdraw' && (
            <ConfirmDialog
              title={t('letters.withdrawThis', { title: open.letter.title })}
              about={t('letters.withdrawAbout')}
              confirm={t('letters.withdraw')}
              onConfirm={() =>
                api.withdrawLetter({ documentGuid: open.letter.documentGuid }).then(refreshLetters)
              }
              onClose={close}
            />
          )}
        </>
      }
    >
      {(letter) => (
        <>
          <LetterLine
            letter={letter}
            isOfDebtor={caseGuid === undefined}
            onShow={() => setOpen({ what: 'show', letter })}
          />
          {mayWrite && (letter.state === 'WAITING' || letter.state === 'HELD') && (
            <Button
              size="compact-xs"
              variant="default"
              flex="none"
              aria-label={t('letters.withdrawThis', { title: letter.title })}
              onClick={() => setOpen({ what: 'withdraw', letter })}
            >
              {t('letters.withdraw')}
            </Button>
          )}
        </>
      )}
    </ListPanel>
  )
}

interface LetterLineProps {
  letter: Document
  isOfDebtor: boolean
  onShow: () => void
}

function LetterLine({ letter, isOfDebtor, onShow }: LetterLineProps) {
  const { t } = useTranslation()
  const { title, state, channel, sentAt, sendsAt, heldReason, createdAt, createdBy, caseNumber } = letter
  const about = [
    isOfDebtor && caseNumber !== null ? t('case.title', { number: caseNumber }) : '',
    channel === null ? '' : codeLabel('channel', channel),
    sentAt === null && sendsAt !== null
      ? t('letters.leaves', { date: formatDateTime(sendsAt) })
      : formatDateTime(sentAt ?? createdAt),
    heldReason === null ? '' : codeLabel('heldReason', heldReason),
    createdBy ?? '',
  ]
  return (
    <div>
      <Group gap={6}>
        <Anchor
          component="button"
          type="button"
          size="sm"
          fw={500}
          aria-label={t('letters.show', { title })}
          onClick={onShow}
        >
          {title}
        </Anchor>
        <StateBadge lookup="letterstate" state={state} />
      </Group>
      <Text size="xs" c="dimmed">
        {about.filter(Boolean).join(' · ')}
      </Text>
    </div>
  )
}
