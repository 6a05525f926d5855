/** Edits one field of a form in the cell of a list. The form is the service's (S1 to S4, S9), as on its own screen. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { definitionFields } from '../../forms/definition.ts'
import { draftKey } from '../../forms/drafts.ts'
import { loadForm } from '../../forms/server-form.ts'
import { useUser } from '../../session/session.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import './cell-editor.css'
import { CellForm } from './cell-form.tsx'
import type { CellTarget, Leaving } from './use-inline.ts'

interface CellEditorProps {
  target: CellTarget
  label: string
  onLeave: (to: Leaving) => void
}

export default function CellEditor({ target, label, onLeave }: CellEditorProps) {
  const { form, id, field: code } = target
  const { entity, type } = form
  const { i18n } = useTranslation()
  const user = useUser()
  const early = useRef('')
  const { data, error } = useQuery({
    queryKey: ['form', 'cell', entity, type, id, code, i18n.language],
    queryFn: () => loadForm(entity, type, { id }),
    // A refetch would overwrite what the user types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const field = data && definitionFields(data.definition).find((one) => one.code === code)
  if (error && !data)
    return (
      <div className="cell-editor">
        <ProblemAlert error={error} />
      </div>
    )
  // What is typed before the form is there goes into it.
  if (!data || !field)
    return (
      <input
        className="cell-early"
        aria-label={label}
        aria-busy="true"
        autoFocus
        onChange={(event) => (early.current = event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onLeave('stay')}
      />
    )
  return (
    <CellForm
      source={data}
      field={{ ...field, longLabel: label }}
      early={early.current}
      undo={{ entity, type, id }}
      draftKey={draftKey(user.uniqueId, ['cell', entity, type, id, code].join('/'))}
      onLeave={onLeave}
    />
  )
}
