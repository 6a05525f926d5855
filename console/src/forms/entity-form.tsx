import { useMemo, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LinesSkeleton } from '../widgets/page.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { useUser } from '../session/session.ts'
import { draftKey } from './drafts.ts'
import { definitionFields, type FormSource, type FormValues } from './definition.ts'
import type { FormPlace } from './form-place.ts'
import { FormView } from './form-view.tsx'
import { loadForm } from './server-form.ts'

interface EntityFormProps {
  entity: string
  type: string
  place?: FormPlace
  /** In a dialog: help is a tooltip. */
  compact?: boolean
  /** The fields that are shown at first; the others come with "More". */
  main?: readonly string[] | undefined
  /** Values with which the form is opened. */
  preset?: FormValues
  /** The currency of the amounts of a form that has no field for it. */
  currency?: string | undefined
  /** The values of a field that are known beforehand, in place of its lookup. */
  choices?: FormSource['choices']
  /** More input below the fields, which the page stores itself. */
  below?: ReactNode
  onDone: (answer: FormValues | undefined) => void
  onCancel?: () => void
}

/** The preset values, with what is calculated where they fill the form, such as the allocation of a payment. */
async function presetValues(source: FormSource, preset: FormValues | undefined) {
  const values = { ...source.values, ...preset }
  const { definition, recalculate } = source
  const isFilled = definitionFields(definition).every(
    ({ code, required }) => !required || (values[code] ?? '') !== '',
  )
  const due = definition.recalc.find(({ fields }) => fields.some((code) => preset?.[code] !== undefined))
  if (!due || !isFilled || !recalculate) return { values }
  // What is refused here is refused again when it is sent, beside its field.
  const calculated = await recalculate(due.recalcCode, values, new AbortController().signal).catch(() => ({}))
  return { values: { ...values, ...calculated }, isReady: true }
}

/** A form by entity and type. Its definition and values are loaded each time it is opened. */
export function EntityForm(props: EntityFormProps) {
  const { entity, type, place = {}, preset, currency, compact = false, main, onDone, onCancel } = props
  const { i18n } = useTranslation()
  const user = useUser()
  const { data, error } = useQuery({
    queryKey: ['form', entity, type, place, preset, currency, i18n.language],
    queryFn: async () => {
      const source = await loadForm(entity, type, place)
      return { ...source, currency, ...(await presetValues(source, preset)) }
    },
    // A refetch would overwrite what the user types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const { choices } = props
  const source = useMemo(() => data && { ...data, choices }, [data, choices])
  if (error && !data) return <ProblemAlert error={error} />
  if (!source) return <LinesSkeleton lines={8} />
  return (
    <FormView
      source={source}
      compact={compact}
      main={main}
      below={props.below}
      draftKey={draftKey(user.uniqueId, [entity, type, place.id, place.subId, place.name].join('/'))}
      onDone={onDone}
      {...(onCancel && { onCancel })}
    />
  )
}
