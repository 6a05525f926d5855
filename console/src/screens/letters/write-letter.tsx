import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterChannelOption, LetterOption } from '../../../../contract/collection/letters.ts'
import { languages } from '../../../../contract/platform/languages.ts'
import { isDate } from '../../../../core/calendar/calendar.ts'
import { api } from '../../api/client.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { isProblem, reading } from '../../api/queries.ts'
import { formatDateTime, userCulture } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { DayField } from '../../widgets/days/day-field.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useFirstFocus } from '../../widgets/use-first-focus.ts'
import { useWork } from '../../widgets/use-work.ts'
import { LetterPages } from './letter-image.tsx'
import { refreshLetters } from './letter-changes.ts'

interface WriteLetterProps {
  debtorGuid: string
  /** Null for a statement of all that the debtor owes. */
  caseGuid: string | null
  /** For the letter about a payment plan. */
  planGuid?: string
  /** For the answer to an objection, a complaint or hardship. */
  objectionGuid?: string
  onClose: () => void
}

/** Chooses a letter and its channel, shows it as it would be printed, and sends it. */
export function WriteLetter({ debtorGuid, caseGuid, planGuid, objectionGuid, onClose }: WriteLetterProps) {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    ...reading('getLetterOptions', {
      debtorGuid,
      ...(caseGuid !== null && { caseGuid }),
      ...(planGuid !== undefined && { paymentPlanGuid: planGuid }),
      ...(objectionGuid !== undefined && { objectionGuid }),
    }),
    staleTime: 0,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('letters.new')}
      size="72rem"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={8} />}
      {data && (
        <LetterForm
          {...data.body}
          debtorGuid={debtorGuid}
          caseGuid={caseGuid}
          {...(planGuid !== undefined && { planGuid })}
          {...(objectionGuid !== undefined && { objectionGuid })}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

interface LetterFormProps extends WriteLetterProps {
  letters: readonly LetterOption[]
  languageCode: string
}

function LetterForm(props: LetterFormProps) {
  const { letters, languageCode, debtorGuid, caseGuid, planGuid, objectionGuid, onClose } = props
  const { t } = useTranslation()
  const today = useBusinessDate()?.slice(0, 10)
  const work = useWork()
  const frame = useFirstFocus<HTMLFormElement>()
  const [letter, setLetter] = useState(letters.find(({ allowed }) => allowed) ?? letters[0]!)
  const [channel, setChannel] = useState(letter.channel)
  const [language, setLanguage] = useState(languageCode)
  const [dueDate, setDueDate] = useState(letter.dueDate?.slice(0, 10) ?? '')
  const chosen = letter.channels.find((one) => one.channel === channel)
  const isPossible = letter.allowed && chosen?.allowed === true && (dueDate === '' || isDate(dueDate))
  const body = {
    kind: letter.kind,
    languageCode: language,
    channel: channel ?? null,
    dueDate: dueDate === '' ? null : `${dueDate}T00:00:00Z`,
    ...(caseGuid !== null && { caseGuid }),
    ...(planGuid !== undefined && { paymentPlanGuid: planGuid }),
    ...(objectionGuid !== undefined && { objectionGuid }),
  }
  const preview = useQuery({
    ...reading('previewLetter', { debtorGuid, body }),
    enabled: isPossible,
    placeholderData: keepPreviousData,
  })
  const choose = (next: LetterOption) => {
    setLetter(next)
    setDueDate(next.dueDate?.slice(0, 10) ?? '')
    const isStill = next.channels.some((one) => one.channel === channel && one.allowed)
    if (!isStill) setChannel(next.channel)
  }
  const send = async () => {
    await api.sendLetter({ debtorGuid, body })
    await refreshLetters()
    noticeDone(t('letters.sent'))
    onClose()
  }
  return (
    <form ref={frame} onSubmit={work.onSubmit(send)} className="letter-form">
      <Stack gap="md">
        <Choices
          label={t('letters.kind')}
          choices={letters.map((one) => ({
            ...one,
            value: one.kind,
            label: translateLabel(`lookup.letterkind.${one.kind}`, one.kind),
          }))}
          value={letter.kind}
          onChange={(kind) => choose(letters.find((one) => one.kind === kind)!)}
        />
        <Choices
          label={t('letters.channel')}
          choices={letter.channels.map((one) => ({
            ...one,
            value: one.channel,
            label: [translateLabel(`lookup.messagechannel.${one.channel}`, one.channel), one.recipient]
              .filter(Boolean)
              .join(' · '),
          }))}
          value={channel ?? ''}
          onChange={(value) => setChannel(value as LetterChannelOption['channel'])}
        />
        <Group grow align="flex-start">
          {letter.dueDate !== null && (
            <DayField
              label={t('letters.dueDate')}
              required
              min={today}
              value={dueDate}
              onChange={setDueDate}
            />
          )}
          <Select
            label={t('letters.language')}
            data={languages.map((value) => ({ value, label: languageName(value) }))}
            value={language}
            allowDeselect={false}
            onChange={(value) => setLanguage(value!)}
          />
        </Group>
        <div className="form-foot">
          <ProblemAlert error={work.error} />
          <Group gap="sm">
            <Button type="submit" loading={work.busy} disabled={!isPossible || isProblem(preview.error)}>
              {t('letters.send')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
          </Group>
        </div>
      </Stack>
      <section aria-label={t('letters.preview')} aria-busy={preview.isFetching}>
        {isPossible && <LetterPages letter={preview.data?.body} error={preview.error} />}
      </section>
    </form>
  )
}

interface Choice {
  value: string
  label: string
  allowed: boolean
  reason: string | null
  from: string | null
}
interface ChoicesProps {
  label: string
  choices: readonly Choice[]
  value: string
  onChange: (value: string) => void
}

/** What can be chosen, each with what stands in its way. */
function Choices({ label, choices, value, onChange }: ChoicesProps) {
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {choices.map((one) => (
          <Radio
            key={one.value}
            value={one.value}
            label={one.label}
            description={one.reason === null ? undefined : <Refusal {...one} />}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Why not, under which rule, and from when: or that it waits until then. */
function Refusal({ allowed, reason, from }: Pick<LetterOption, 'allowed' | 'reason' | 'from'>) {
  const { t } = useTranslation()
  if (reason === null) return null
  const date = formatDateTime(from)
  return (
    <Text span size="xs">
      {reason} {from !== null && allowed && t('letters.waits', { date })}
    </Text>
  )
}

const languageName = (code: string) =>
  new Intl.DisplayNames(userCulture(), { type: 'language' }).of(code) ?? code
