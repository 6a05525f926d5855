import { ActionIcon } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../api/queries.ts'
import { userCulture } from '../../format/format.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { ConflictDialog } from '../../forms/conflict-dialog.tsx'
import { definitionFields, type FormField, type FormSource } from '../../forms/definition.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { dropDraft } from '../../forms/drafts.ts'
import { faultMessage } from '../../forms/fault-message.ts'
import { FieldInput } from '../../forms/field-input.tsx'
import type { Form, Values } from '../../forms/form-model.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { useRecalculation } from '../../forms/use-recalculation.ts'
import { showAtFields, typedValues, useSending } from '../../forms/use-sending.ts'
import { findCurrency, findFault } from '../../forms/values.ts'
import { Icon } from '../../widgets/icons.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { reloadShown } from './reload-shown.ts'
import { noticeStored, type UndoPlace } from './undo-cell.tsx'
import type { Leaving } from './use-inline.ts'

interface CellFormProps {
  source: FormSource
  field: FormField
  /** What was typed before the form was there. */
  early: string
  undo: UndoPlace
  draftKey: string
  onLeave: (to: Leaving) => void
}

export function CellForm({ source, field, early, undo, draftKey, onLeave }: CellFormProps) {
  const { t } = useTranslation()
  const culture = userCulture()
  const fields = useMemo(() => definitionFields(source.definition), [source.definition])
  const initial = useMemo(() => typedValues(fields, source, culture), [fields, source, culture])
  const form: Form = useForm<Values>({
    initialValues: early === '' ? initial : { ...initial, [field.code]: early },
    validate: (values) => {
      const currency = findCurrency(values, source.currency)
      const fault = findFault(field, values[field.code]!, { culture, currency })
      return fault ? { [field.code]: faultMessage(fault) } : {}
    },
  })
  const recalculation = useRecalculation(source, form, {
    culture,
    onRefused: (error) => isProblem(error) && showAtFields(form, [field], error.errors) > 0,
  })
  const leaving = useRef<Leaving>('stay')
  const finish = (to: Leaving) => {
    dropDraft(draftKey)
    onLeave(to)
  }
  const sending = useSending({
    source,
    form,
    fields,
    initial,
    culture,
    onDone: () => {
      noticeStored({ ...undo, before: initial, stored: form.getValues(), culture })
      reloadShown()
      finish(leaving.current)
    },
  })
  const draft = useDraft({ key: draftKey, form, initial, etag: source.etag, done: sending.done })
  const isChanged = fields.some(({ code }) => form.getValues()[code] !== initial[code])
  const save = (to: Leaving) => {
    if (sending.busy) return
    leaving.current = to
    if (!isChanged) return finish(to)
    if (!form.validate().hasErrors) sending.send({})
  }
  const frame = useRef<HTMLFormElement>(null)
  useFocusInput(frame, early)
  return (
    <form
      ref={frame}
      className="cell-editor"
      aria-label={field.longLabel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save('stay')
      }}
      onKeyDown={(event) =>
        onCellKey(event, { save, cancel: () => finish('stay'), isOffered: !!draft.offered })
      }
      onBlur={(event) => {
        const isLeft = event.currentTarget.contains(event.target) && event.relatedTarget !== null
        // The calendar of the cell is not in the form.
        if (event.relatedTarget?.closest('.calendar')) return
        if (isLeft && !isChanged && !event.currentTarget.contains(event.relatedTarget)) finish('stay')
      }}
    >
      <div className="cell-input">
        <FieldInput field={field} form={form} source={source} culture={culture} />
        <ActionIcon type="submit" variant="light" loading={sending.busy} aria-label={t('action.save')}>
          <Icon name="check" size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('action.cancel')} onClick={() => finish('stay')}>
          <Icon name="close" size={16} />
        </ActionIcon>
      </div>
      <DraftOffer draft={draft} />
      <CellError error={sending.error} field={field} />
      <ApprovalRequest
        error={sending.error}
        id={source.subject}
        input={sending.sent}
        onDone={sending.leave}
      />
      <ProblemAlert error={recalculation.error} />
      <LeaveGuard active={isChanged && !sending.done} />
      {sending.conflict && (
        <ConflictDialog conflict={sending.conflict} fields={fields} onClose={sending.settle} />
      )}
    </form>
  )
}

/** What is wrong with the cell stands at its input; everything else below it. */
function CellError({ error, field }: { error: unknown; field: FormField }) {
  if (isProblem(error)) {
    const told = Object.keys(error.errors)
    if (told.length > 0 && told.every((code) => code === field.code || code === field.editCode)) return null
  }
  return <ProblemAlert error={error} />
}

interface CellActions {
  save: (to: Leaving) => void
  cancel: () => void
  /** A draft is offered, whose buttons Tab reaches. */
  isOffered: boolean
}

/** Tab stores the cell and goes on to the next, Escape leaves it. A list of values has its own use of the keys. */
function onCellKey(event: KeyboardEvent<HTMLFormElement>, { save, cancel, isOffered }: CellActions): void {
  const target = event.target as HTMLElement
  const isInput = event.currentTarget.contains(target) && target.matches('input, textarea')
  if (event.defaultPrevented || !event.currentTarget.contains(target)) return
  if (event.key === 'Escape') {
    event.preventDefault()
    cancel()
  } else if (event.key === 'Tab' && isInput && !isOffered) {
    event.preventDefault()
    save(event.shiftKey ? 'previous' : 'next')
  }
}

/** The input gets the focus with its text selected, and its buttons are in view; what was typed already is gone on with. */
function useFocusInput(frame: React.RefObject<HTMLElement | null>, early: string): void {
  useEffect(() => {
    const input = frame.current?.querySelector<HTMLInputElement>('input:not([type=hidden]), textarea')
    input?.focus()
    if (early === '') input?.select()
    frame.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [frame, early])
}
