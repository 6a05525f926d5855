import { Anchor, Badge, Box, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SetupStep } from '../../../../contract/insight/setup-steps.ts'
import { reading, refresh } from '../../api/queries.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { SetupGapLink, type AgencyForm } from './setup-gap.tsx'

const mainFields: Record<AgencyForm, readonly string[]> = {
  edit: ['name', 'countryCode', 'currencyCode'],
  terms: ['bankAccountNo'],
}

/** The form of a step that is done, so that a slip can be corrected: the agency is in no list of clients. */
const changeForms: Partial<Record<SetupStep['step'], AgencyForm>> = { COMPANY: 'edit', BANK: 'terms' }

/** The first steps in their order: what is done, what is next and what each lacks. */
export default function SetupSteps() {
  const { t } = useTranslation()
  const { data, error } = useQuery({ ...reading('listSetupSteps'), staleTime: 0 })
  const [open, setOpen] = useState<AgencyForm>()
  if (!data) {
    return (
      <div className="panel" style={{ padding: '1rem' }}>
        {error ? <ProblemAlert error={error} /> : <LinesSkeleton lines={14} />}
      </div>
    )
  }
  const { value: steps, agencyGuid } = data.body
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)?.step
  const said = next === undefined ? t('setup.allDone') : t('setup.progress', { done, total: steps.length })
  return (
    <section className="panel" aria-label={t('setup.title')}>
      <Box p="md" className="lined">
        <Text size="sm" fw={500} mb={6} role="status">
          {said}
        </Text>
        <Progress value={(done / steps.length) * 100} color="teal" aria-label={said} />
      </Box>
      <ol className="setup-steps">
        {steps.map((step, index) => (
          <StepRow
            key={step.step}
            step={step}
            number={index + 1}
            isNext={step.step === next}
            onOpen={setOpen}
          />
        ))}
      </ol>
      {open && (
        <FormDialog
          title={t(`setup.step.${open === 'edit' ? 'COMPANY' : 'BANK'}`)}
          entity="client"
          type={open}
          place={{ id: agencyGuid }}
          main={mainFields[open]}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listSetupSteps')
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

interface StepRowProps {
  step: SetupStep
  number: number
  isNext: boolean
  onOpen: (form: AgencyForm) => void
}

function StepRow({ step: { step, isDone, missing }, number, isNext, onOpen }: StepRowProps) {
  const { t } = useTranslation()
  const change = isDone ? changeForms[step] : undefined
  return (
    <li className="setup-step" data-next={isNext || undefined}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="md">
        <div>
          <Title order={2} size="h3">
            {number}. {t(`setup.step.${step}`)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`setup.about.${step}`)}
          </Text>
        </div>
        <Badge
          variant="light"
          tt="none"
          fw={500}
          color={isDone ? 'teal' : isNext ? 'fjord' : 'gray'}
          style={{ flexShrink: 0 }}
        >
          {t(isDone ? 'setup.done' : isNext ? 'setup.next' : 'setup.open')}
        </Badge>
      </Group>
      {change && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt={8}
          onClick={() => onOpen(change)}
          aria-label={`${t('action.edit')}: ${t(`setup.step.${step}`)}`}
        >
          {t('action.edit')}
        </Anchor>
      )}
      {step === 'LETTERS' && (
        <Anchor component={Link} to="/letter-templates" size="sm" mt={8} display="inline-block">
          {t('setup.letterTemplates')}
        </Anchor>
      )}
      {missing.length > 0 && (
        <Stack component="ul" gap={6} mt={8} className="setup-gaps">
          {missing.map((gap) => (
            <li key={`${gap.gap} ${gap.countryCode}`}>
              <SetupGapLink step={step} missing={gap} onOpen={onOpen} />
            </li>
          ))}
        </Stack>
      )}
    </li>
  )
}
