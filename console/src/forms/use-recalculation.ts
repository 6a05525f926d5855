import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { definitionFields, type FormSource } from './definition.ts'
import type { Form, Values } from './form-model.ts'
import { filledValues, findCurrency, toTyped, toValue } from './values.ts'

const waitMs = 300

/**
 * Recalculates the form (S2) when a field that others depend on has changed. The field with the focus keeps its text, and
 * so does one that was changed after the values were sent. Nothing is sent while a number cannot be read: the service
 * would say that it is missing.
 * `onRefused` returns true if it has shown the error at its fields.
 */
export function useRecalculation(
  source: FormSource,
  form: Form,
  { culture, onRefused }: { culture: string; onRefused: (error: unknown) => boolean },
) {
  const { definition } = source
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController>(undefined)
  const former = useRef<Values>(form.getValues())
  /** Calculated values, which are only shown. */
  const shown = useRef(new Set<string>())
  /** Values calculated from former input would be wrong. */
  const clearShown = () => {
    for (const name of shown.current) form.setFieldValue(name, '')
  }
  const run = async (code: string) => {
    if (!source.recalculate) return
    running.current?.abort()
    const controller = (running.current = new AbortController())
    const fields = definitionFields(definition)
    const sent = { ...form.getValues() }
    if (fields.some((field) => toValue(field, sent[field.code]!, culture) === undefined)) return clearShown()
    try {
      const answer = await source.recalculate(code, filledValues(fields, sent, culture), controller.signal)
      const present = form.getValues()
      const currency = findCurrency(sent, source.currency)
      const typing = document.activeElement?.getAttribute('name')
      for (const field of fields) {
        const value = answer[field.code]
        if (value === undefined || field.code === typing || present[field.code] !== sent[field.code]) continue
        if (field.displayType === 'readonly') shown.current.add(field.code)
        const typed = toTyped(field, value, { culture, currency })
        // Setting a value clears the error of its field.
        if (typed !== present[field.code]) form.setFieldValue(field.code, typed)
      }
      setError(null)
    } catch (failure) {
      if (controller.signal.aborted) return
      clearShown()
      setError(onRefused(failure) ? null : failure)
    }
  }
  const runSoon = useDebouncedCallback((code: string) => void run(code), waitMs)
  const values = form.getValues()
  useEffect(() => {
    const changed = (code: string) => former.current[code] !== values[code]
    const due = definition.recalc.find(({ fields }) => fields.some(changed))
    former.current = values
    if (due && source.recalculate) runSoon(due.recalcCode)
  }, [values, definition, source, runSoon])
  useEffect(() => () => running.current?.abort(), [])
  const buttons = source.recalculate ? definition.recalc.filter(({ btnText }) => btnText !== '') : []
  return { error, buttons, run: (code: string) => void run(code) }
}
