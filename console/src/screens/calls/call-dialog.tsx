import { Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callOutcomes, type CallOutcome } from '../../../../contract/work/calls.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { userCulture } from '../../format/format.ts'
import { readNumber } from '../../format/numbers.ts'
import { AmountInput } from '../../forms/amount-input.tsx'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
import { findAmountFault } from '../../forms/values.ts'
import { codeLabel } from '../../texts/labels.ts'
import { LaterDay } from '../../widgets/days/later-day.tsx'
import { noticeDone, noticeLimit } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { AttachZone } from '../attachments/attach-zone.tsx'
import { useAttaching } from '../attachments/use-attaching.ts'
import { markDone, refreshWork } from '../work/work-changes.ts'
import { DoneItems, useDoneItems } from './done-items.tsx'

const day = (date: string) => (date === '' ? null : `${date}T00:00:00Z`)

const emptyCall = {
  outcome: 'REACHED' as CallOutcome,
  rightParty: true,
  inbound: false,
  text: '',
  amount: '',
  until: '',
  followUpDate: '',
  followUp: '',
  shownToClient: false,
}
type TypedCall = typeof emptyCall

interface PartProps {
  call: TypedCall
  change: (part: Partial<TypedCall>) => void
}

export interface CallCase {
  caseGuid: string
  /** Names the case in a choice of several. */
  label?: string
}

interface CallDialogProps {
  /** The cases that the call may be about, at least one. */
  cases: readonly CallCase[]
  onClose: () => void
}

/** Logs a call about a case, with a promise, a follow-up day, and the items of the queue that the call settled. */
export function CallDialog({ cases, onClose }: CallDialogProps) {
  const { t } = useTranslation()
  const first = cases[0]!.caseGuid
  const {
    values: call,
    change,
    draft,
    drop,
  } = useKeptInput(`call/${first}`, { ...emptyCall, caseGuid: first })
  const { caseGuid } = call
  const isFollowed = call.followUpDate !== ''
  const done = useDoneItems(caseGuid, { isReached: call.rightParty, isFollowed })
  const currency = useQuery(reading('getCaseByGuid', { caseGuid })).data?.body.currencyCode
  const culture = userCulture()
  const attaching = useAttaching({ caseGuid }, { draft: true })
  const logged = useRef<string>(undefined)
  const log = async () => {
    // The call is not logged again where only a file or the work was refused.
    logged.current ??= (await api.logCall({ caseGuid, body: toInput(call, culture) })).callGuid
    drop()
    const left = await attaching.giveTo({ callGuid: logged.current })
    await (done.chosen.length > 0 ? markDone(done.chosen) : refreshWork())
    await refresh('listCaseCalls', 'listDebtorCalls')
    if (left.length > 0) noticeLimit(t('attachments.left', { names: left.join(', ') }))
    else noticeDone(t('form.stored'))
  }
  return (
    <WorkDialog
      title={t('call.log')}
      submit={t('action.save')}
      disabled={findAmountFault(call.amount, { culture, currency }) !== undefined}
      onSubmit={log}
      onClose={onClose}
    >
      <DraftOffer draft={draft} />
      {cases.length > 1 && (
        <Select
          label={t('call.case')}
          data={cases.map((one) => ({ value: one.caseGuid, label: one.label ?? '' }))}
          value={caseGuid}
          allowDeselect={false}
          onChange={(guid) => change({ caseGuid: guid! })}
        />
      )}
      <OutcomeFields call={call} change={change} />
      <Textarea
        label={t('call.text')}
        autosize
        minRows={2}
        maxLength={10_000}
        value={call.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {call.rightParty && <PromiseFields call={call} change={change} currency={currency} />}
      <FollowUpFields call={call} change={change} />
      <AttachZone attaching={attaching} />
      <DoneItems {...done} />
      <Group>
        <Checkbox
          label={t('call.inbound')}
          checked={call.inbound}
          onChange={(event) => change({ inbound: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('call.shown')}
          checked={call.shownToClient}
          onChange={(event) => change({ shownToClient: event.currentTarget.checked })}
        />
      </Group>
    </WorkDialog>
  )
}

function toInput(call: TypedCall, culture: string) {
  const { outcome, rightParty, inbound, shownToClient } = call
  return {
    outcome,
    rightParty,
    inbound,
    shownToClient,
    text: call.text.trim() || null,
    promisedAmount: call.amount.trim() === '' ? null : (readNumber(call.amount, culture) ?? null),
    promisedDate: day(call.until),
    followUpDate: day(call.followUpDate),
    followUp: call.followUpDate === '' ? null : call.followUp.trim() || null,
  }
}

function OutcomeFields({ call, change }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('call.outcome')}
        data={callOutcomes.map((value) => ({ value, label: codeLabel('outcome', value) }))}
        value={call.outcome}
        allowDeselect={false}
        data-autofocus
        onChange={(value) =>
          change({ outcome: value!, rightParty: value === 'REACHED' || value === 'REFUSED' })
        }
      />
      <Checkbox
        label={t('call.rightParty')}
        checked={call.rightParty}
        onChange={(event) => change({ rightParty: event.currentTarget.checked })}
      />
    </>
  )
}

function PromiseFields({ call, change, currency }: PartProps & { currency: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Group grow align="start">
      <AmountInput
        label={t('call.promised')}
        required={call.until !== ''}
        currency={currency}
        value={call.amount}
        onChange={(amount) => change({ amount })}
      />
      <LaterDay
        label={t('call.until')}
        required={call.amount.trim() !== ''}
        day={call.until}
        onDay={(until) => change({ until })}
      />
    </Group>
  )
}

/** The field for what to do appears once there is a day for it. */
function FollowUpFields({ call, change }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <LaterDay
        label={t('call.followUp')}
        day={call.followUpDate}
        onDay={(followUpDate) => change({ followUpDate })}
      />
      {call.followUpDate !== '' && (
        <TextInput
          label={t('work.what')}
          maxLength={500}
          value={call.followUp}
          onChange={(event) => change({ followUp: event.currentTarget.value })}
        />
      )}
    </>
  )
}
