/** Draws any form from its definition. */
import { Alert, Button, Checkbox, Group, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../api/queries.ts'
import { userCulture } from '../format/format.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { ApprovalRequest } from './approval-request.tsx'
import { ConflictDialog, type Conflict } from './conflict-dialog.tsx'
import { definitionFields, type FormField, type FormSource, type FormValues } from './definition.ts'
import { FieldInput } from './field-input.tsx'
import { HelpTooltip } from './help-tooltip.tsx'
import type { Form, Values } from './form-model.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { errorMessage, faultMessage } from './fault-message.ts'
import { useRecalculation } from './use-recalculation.ts'
import { changedValues, filledValues, findFault, toTyped } from './values.ts'

interface FormViewProps {
  source: FormSource
  /** In a dialog: help is a tooltip. */
  compact?: boolean
  /** The fields that are shown at first; the others come with "More". All, unless given. */
  main?: readonly string[] | undefined
  onDone: (answer: FormValues | undefined) => void
  onCancel?: () => void
}

export function FormView({ source, compact = false, main, onDone, onCancel }: FormViewProps) {
  const { t } = useTranslation()
  const culture = userCulture()
  const { definition } = source
  const fields = useMemo(() => definitionFields(definition), [definition])
  const initial = useMemo(() => typedValues(fields, source.values, culture), [fields, source.values, culture])
  const form: Form = useForm<Values>({
    initialValues: initial,
    validateInputOnBlur: true,
    validate: (values) => collectFaults(fields, values, culture),
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
  return (
    <form
      onSubmit={form.onSubmit(
        () => sending.send({}),
        () => focusFirstFault(),
      )}
      noValidate
      className={compact ? 'compact-form' : undefined}
      aria-label={definition.title}
    >
      <Stack gap={compact ? 'md' : 'lg'}>
        {groups.map((group, index) => (
          <fieldset key={index} style={{ border: 0, margin: 0, padding: 0, minInlineSize: 0 }}>
            {group.label !== '' && more && (
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
        ))}
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
            <Button type="submit" loading={sending.busy}>
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

export const typedValues = (fields: readonly FormField[], values: FormValues, culture: string): Values =>
  Object.fromEntries(
    fields.map((field) => [
      field.code,
      toTyped(field, values[field.displayCode || field.code] ?? values[field.code], culture),
    ]),
  )

function collectFaults(
  fields: readonly FormField[],
  values: Values,
  culture: string,
): Record<string, string> {
  const faults = fields.map((field) => [field.code, findFault(field, values[field.code]!, culture)] as const)
  return Object.fromEntries(faults.flatMap(([code, fault]) => (fault ? [[code, faultMessage(fault)]] : [])))
}

/** Moves the focus to the first error when it appears. */
function focusFirstFault(frames = 10): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('form [aria-invalid=true]')
    if (field) field.focus()
    else if (frames > 0) focusFirstFault(frames - 1)
  })
}

interface Sending {
  source: FormSource
  form: Form
  fields: readonly FormField[]
  initial: Values
  culture: string
  onDone: (answer: FormValues | undefined) => void
}

function useSending({ source, form, fields, initial, culture, onDone }: Sending) {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<Conflict | undefined>()
  const [etag, setEtag] = useState(source.etag)
  const [sent, setSent] = useState<Record<string, unknown>>({})
  const send = async (options: { allowDuplicate?: boolean; ifMatch?: string }) => {
    const values = form.getValues()
    const body =
      source.etag === undefined
        ? filledValues(fields, values, culture)
        : changedValues(fields, initial, values, culture)
    const ifMatch = options.ifMatch ?? etag
    setBusy(true)
    setError(null)
    setSent(body)
    try {
      const answer = await source.submit(body, {
        ...(ifMatch !== undefined && { ifMatch }),
        ...(options.allowDuplicate && { allowDuplicate: true }),
      })
      setDone(true)
      onDone(answer)
    } catch (failure) {
      if (isProblem(failure, 'precondition-failed') && source.reload) {
        const fresh = await source.reload()
        setConflict({
          before: initial,
          now: typedValues(fields, fresh.values, culture),
          mine: values,
          etag: fresh.etag,
        })
      } else {
        setError(failure)
        if (isProblem(failure)) {
          showAtFields(form, fields, failure.errors)
          focusFirstFault()
        }
      }
    } finally {
      setBusy(false)
    }
  }
  /** The values that the user chose, and the version to which they apply. */
  const settle = (chosen: Values | undefined) => {
    if (chosen && conflict) {
      form.setValues(chosen)
      setEtag(conflict.etag)
      void send(conflict.etag === undefined ? {} : { ifMatch: conflict.etag })
    }
    setConflict(undefined)
  }
  return {
    busy,
    done,
    error,
    conflict,
    settle,
    /** What was sent last. */
    sent,
    /** Ends the form without an answer. */
    leave: () => {
      setDone(true)
      onDone(undefined)
    },
    send: (options: { allowDuplicate?: boolean }) => void send(options),
  }
}

/** Shows errors at their fields and returns the number of these fields. */
function showAtFields(
  form: Form,
  fields: readonly FormField[],
  errors: Readonly<Record<string, readonly string[]>>,
): number {
  const said = fields.flatMap((field) => {
    const messages = errors[field.code] ?? errors[field.editCode]
    return messages ? [[field.code, errorMessage(messages)]] : []
  })
  form.setErrors(Object.fromEntries(said))
  return said.length
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
