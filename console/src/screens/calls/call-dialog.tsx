import { Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callOutcomes, type CallOutcome } from '../../../../contract/work/calls.ts'
import { api } from '../../api/client.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { reading, refresh } from '../../api/queries.ts'
import { userCulture } from '../../format/format.ts'
import { readNumber } from '../../format/numbers.ts'
import { AmountInput } from '../../forms/amount-input.tsx'
import { findAmountFault } from '../../forms/values.ts'
import { codeLabel } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { refreshWork } from '../work/work-changes.ts'

const day = (date: string) => (date === '' ? null : `${date}T00:00:00Z`)

/** Logs a call about a case, with what was promised and when the case shall come back. */
export function CallDialog({ caseGuid, onClose }: { caseGuid: string; onClose: () => void }) {
  const { t } = useTranslation()
  const today = useBusinessDate()?.slice(0, 10)
  const from = today === undefined ? {} : { min: today }
  const [outcome, setOutcome] = useState<CallOutcome>('REACHED')
  const [rightParty, setRightParty] = useState(true)
  const [text, setText] = useState('')
  const [amount, setAmount] = useState('')
  const [until, setUntil] = useState('')
  const [followUpDate, setFollowUpDate] = useState('')
  const [shownToClient, setShown] = useState(false)
  const currency = useQuery(reading('getCaseByGuid', { caseGuid })).data?.body.currencyCode
  const culture = userCulture()
  const promised = amount.trim() === '' ? null : readNumber(amount, culture)
  const log = async () => {
    const body = {
      outcome,
      rightParty,
      text: text.trim() || null,
      promisedAmount: promised ?? null,
      promisedDate: day(until),
      followUpDate: day(followUpDate),
      shownToClient,
    }
    await api.logCall({ caseGuid, body })
    await Promise.all([refreshWork(), refresh('listCaseCalls', 'listDebtorCalls')])
    noticeDone(t('form.stored'))
  }
  return (
    <WorkDialog
      title={t('call.log')}
      submit={t('action.save')}
      disabled={findAmountFault(amount, { culture, currency }) !== undefined}
      onSubmit={log}
      onClose={onClose}
    >
      <Select
        label={t('call.outcome')}
        data={callOutcomes.map((value) => ({ value, label: codeLabel('outcome', value) }))}
        value={outcome}
        allowDeselect={false}
        data-autofocus
        onChange={(value) => {
          setOutcome(value!)
          setRightParty(value === 'REACHED' || value === 'REFUSED')
        }}
      />
      <Checkbox
        label={t('call.rightParty')}
        checked={rightParty}
        onChange={(event) => setRightParty(event.currentTarget.checked)}
      />
      <Textarea
        label={t('call.text')}
        autosize
        minRows={2}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {rightParty && (
        <Group grow>
          <AmountInput
            label={t('call.promised')}
            required={until !== ''}
            currency={currency}
            value={amount}
            onChange={setAmount}
          />
          <TextInput
            label={t('call.until')}
            type="date"
            required={amount.trim() !== ''}
            {...from}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        </Group>
      )}
      <TextInput
        label={t('call.followUp')}
        type="date"
        {...from}
        value={followUpDate}
        onChange={(event) => setFollowUpDate(event.currentTarget.value)}
      />
      <Checkbox
        label={t('call.shown')}
        checked={shownToClient}
        onChange={(event) => setShown(event.currentTarget.checked)}
      />
    </WorkDialog>
  )
}
