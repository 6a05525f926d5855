import { useNavigate } from '@tanstack/react-router'
import { Page } from '../widgets/page.tsx'
import type { FormValues } from './definition.ts'
import { EntityForm } from './entity-form.tsx'

interface FormScreenProps {
  title: string
  entity: string
  type: string
  /** The address to which cancelling leads. */
  back: string
  onDone: (answer: FormValues | undefined) => void
}

/** A form as a screen with its own address; lists open forms as dialogs. */
export function FormScreen({ title, entity, type, back, onDone }: FormScreenProps) {
  const navigate = useNavigate()
  return (
    <Page title={title}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity={entity}
          type={type}
          onDone={onDone}
          onCancel={() => void navigate({ to: back as '/' })}
        />
      </div>
    </Page>
  )
}
