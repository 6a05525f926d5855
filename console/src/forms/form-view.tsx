/** Draws any form from its definition. */
import { Alert, Button, Checkbox, Group, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../api/queries.ts'
import { userCulture } from '../format/format.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { useFirstFocus } from '../widgets/use-first-focus.ts'
import { ApprovalRequest } from './approval-request.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { definitionFields, type FormField, type FormSource, type FormValues } from './definition.ts'
import { FieldInput } from './field-input.tsx'
import { HelpTooltip } from './help-tooltip.tsx'
import type { Form, Values } from './form-model.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { faultMessage } from './fault-message.ts'
import { useRecalculation } from './use-recalculation.ts'
import { useDraft } from './use-draft.ts'
import { focusFirstFault, showAtFields, typedValues, useSending } from './use-sending.ts'
import { findCurrency, findFault, type Writing } from './values.ts'

interface FormViewProps {
  source: FormSource
  /** In a dialog: help is a tooltip. */
  compact?: boolean
  /** The fields that are shown at first; the others come with "More". All, unless given. */
  main?: readonly string[] | undefined
  /** Where what is typed is kept until it is stored. */
  draftKey?: string | undefined
  /** More input below the fields, which the page stores itself. */
  below?: ReactNode
  onDone: (answer: FormValues | undefined) => void
  onCancel?: () => void
}

export function FormView(props: FormViewProps) {
  const { source, compact = false, main, draftKey, below, onDone, onCancel } = props
  const { t } = useTranslation()
  const culture = userCulture()
  const { definition } = source
  const fields = useMemo(() => definitionFields(definition), [definition])
  const initial = useMemo(() => typedValues(fields, source, culture), [fields, source, culture])
  const form: Form = useForm<Values>({
    initialValues: initial,
    validateInputOnBlur: true,
    validate: (values) => collectFaults(fields, values, { culture, currency: source.currency }),
  })
  const recalculation = useRecalculation(source, form, {
    culture,
    onRefused: (error) => isProblem(error) && showAtFields(form, fields, error.errors) > 0,
  })
  const [more, setMore] = useState(main === undefined)
  // A field with an error is never hidden.
  const isShown = ({ code }: FormField) => more || main!.includes(code) || form.errors[code] !== undefined
  const groups = definition.groups
    .map((group) => ({ ...group, fields: group.fields.filter(isShown) }))
    .filter((group) => group.fields.length > 0)
  const sending = useSending({ source, form, fields, initial, culture, onDone })
  const draft = useDraft({ key: draftKey, form, initial, etag: source.etag, done: sending.done })
  const frame = useFirstFocus<HTMLFormElement>(source.isReady !== true)
  return (
    <form
      ref={frame}
      onSubmit={form.onSubmit(
        () => sending.send({}),
        () => focusFirstFault(),
      )}
      noValidate
      className={compact ? 'compact-form' : undefined}
      aria-label={definition.title}
    >
      <Stack gap={compact ? 'md' : 'lg'}>
        <DraftOffer draft={draft} />
        <Groups groups={groups} isNamed={more} compact={compact} form={form} source={source} />
        {!more && (
          <Button
            variant="subtle"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setMore(true)}
          >
            {t('form.more')}
          </Button>
        )}
        {below}
        <div className="form-foot">
          <OtherErrors error={sending.error} fields={fields} />
          {isProblem(sending.error, 'conflict') && fields.some(({ code }) => code === 'idNumber') && (
            <DuplicateChoice onAllow={() => sending.send({ allowDuplicate: true })} />
          )}
          <ApprovalRequest
            error={sending.error}
            id={source.subject}
            input={sending.sent}
            onDone={sending.leave}
          />
          <ProblemAlert error={recalculation.error} />
          <Group gap="sm">
            <Button type="submit" loading={sending.busy} autoFocus={source.isReady === true}>
              {definition.submitBtnText || t('action.save')}
            </Button>
            {recalculation.buttons.map(({ recalcCode, btnText }) => (
              <Button key={recalcCode} variant="default" onClick={() => recalculation.run(recalcCode)}>
                {btnText}
              </Button>
            ))}
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t('action.cancel')}
              </Button>
            )}
          </Group>
        </div>
      </Stack>
      <LeaveGuard active={form.isDirty() && !sending.done} />
      {sending.conflict && (
        <ConflictDialog conflict={sending.conflict} fields={fields} onClose={sending.settle} />
      )}
    </form>
  )
}

interface GroupsProps {
  groups: FormSource['definition']['groups']
  /** Whether the groups show their names. */
  isNamed: boolean
  compact: boolean
  form: Form
  source: FormSource
}

function Groups({ groups, isNamed, compact, form, source }: GroupsProps) {
  const culture = userCulture()
  return groups.map((group, index) => (
    <fieldset key={index} style={{ border: 0, margin: 0, padding: 0, minInlineSize: 0 }}>
      {group.label !== '' && isNamed && (
        <Title order={2} component="legend" mb="sm" fz="md">
          {group.label}
        </Title>
      )}
      <div
        className="form-grid"
        style={{ '--columns': Math.max(1, Math.min(4, group.columns)) } as React.CSSProperties}
      >
        {group.fields.map((field) => (
          <HelpTooltip key={field.code} field={field} active={compact}>
            <FieldInput field={field} form={form} source={source} culture={culture} />
          </HelpTooltip>
        ))}
      </div>
    </fieldset>
  ))
}

function collectFaults(
  fields: readonly FormField[],
  values: Values,
  { culture, currency }: Writing,
): Record<string, string> {
  const writing = { culture, currency: findCurrency(values, currency) }
  const faults = fields.map((field) => [field.code, findFault(field, values[field.code]!, writing)] as const)
  return Object.fromEntries(faults.flatMap(([code, fault]) => (fault ? [[code, faultMessage(fault)]] : [])))
}

/** Errors that belong to no field of the form. */
function OtherErrors({ error, fields }: { error: unknown; fields: readonly FormField[] }) {
  if (isProblem(error)) {
    const shown = new Set(fields.flatMap(({ code, editCode }) => [code, editCode]))
    const others = Object.keys(error.errors).filter((member) => !shown.has(member))
    if (others.length === 0 && Object.keys(error.errors).length > 0) return null
  }
  return <ProblemAlert error={error} />
}

/** Asks whether a second debtor with the same identity number is intended, and submits again if so. */
function DuplicateChoice({ onAllow }: { onAllow: () => void }) {
  const { t } = useTranslation()
  const [sure, setSure] = useState(false)
  return (
    <Alert color="yellow" variant="light" title={t('form.duplicate')}>
      <Group>
        <Checkbox
          label={t('form.duplicateSure')}
          checked={sure}
          onChange={(event) => setSure(event.currentTarget.checked)}
        />
        <Button size="xs" variant="default" disabled={!sure} onClick={onAllow}>
          {t('form.duplicateCreate')}
        </Button>
      </Group>
    </Alert>
  )
}
