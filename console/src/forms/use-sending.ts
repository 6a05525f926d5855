/** Submits a form: its errors go to their fields, and a change by another user is settled. */
import { useState } from 'react'
import { isProblem } from '../api/queries.ts'
import type { Conflict } from './conflict-dialog.tsx'
import type { FormField, FormSource, FormValues } from './definition.ts'
import { errorMessage } from './fault-message.ts'
import type { Form, Values } from './form-model.ts'
import { changedValues, filledValues, findCurrency, toTyped } from './values.ts'

export function typedValues(
  fields: readonly FormField[],
  { values, currency }: Pick<FormSource, 'values' | 'currency'>,
  culture: string,
): Values {
  const writing = { culture, currency: findCurrency(values, currency) }
  return Object.fromEntries(
    fields.map((field) => [
      field.code,
      toTyped(field, values[field.displayCode || field.code] ?? values[field.code], writing),
    ]),
  )
}

/** Moves the focus to the first error when it appears. */
export function focusFirstFault(frames = 10): void {
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

/** What the form sends: of a stored record what was changed, of a new one what was filled in. */
const toBody = ({ source, form, fields, initial, culture }: Sending) =>
  source.etag === undefined
    ? filledValues(fields, form.getValues(), culture)
    : changedValues(fields, initial, form.getValues(), culture)

/** The conflict behind a refusal, with the values as they are now. */
async function findConflict(
  { source, form, fields, initial, culture }: Sending,
  failure: unknown,
): Promise<Conflict | undefined> {
  if (!isProblem(failure, 'precondition-failed') || !source.reload) return undefined
  const mine = form.getValues()
  const fresh = await source.reload()
  return {
    before: initial,
    now: typedValues(fields, { ...source, values: fresh.values }, culture),
    mine,
    etag: fresh.etag,
  }
}

export function useSending(sending: Sending) {
  const { source, form, fields, onDone } = sending
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<Conflict | undefined>()
  const [etag, setEtag] = useState(source.etag)
  const [sent, setSent] = useState<Record<string, unknown>>({})
  const finish = (answer: FormValues | undefined) => {
    setDone(true)
    onDone(answer)
  }
  const fail = (failure: unknown) => {
    setError(failure)
    if (!isProblem(failure)) return
    showAtFields(form, fields, failure.errors)
    focusFirstFault()
  }
  const send = async (options: { allowDuplicate?: boolean; ifMatch?: string }) => {
    const body = toBody(sending)
    const ifMatch = options.ifMatch ?? etag
    setBusy(true)
    setError(null)
    setSent(body)
    const { allowDuplicate } = options
    try {
      finish(
        await source.submit(body, {
          ...(ifMatch !== undefined && { ifMatch }),
          ...(allowDuplicate && { allowDuplicate }),
        }),
      )
    } catch (failure) {
      const found = await findConflict(sending, failure)
      if (found) setConflict(found)
      else fail(failure)
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
  /** Ends the form without an answer. */
  const leave = () => finish(undefined)
  const begin = (options: { allowDuplicate?: boolean }) => void send(options)
  return { busy, done, error, conflict, settle, sent, leave, send: begin }
}

/** Shows errors at their fields and returns the number of these fields. */
export function showAtFields(
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
