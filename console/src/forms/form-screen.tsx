import { useNavigate } from '@tanstack/react-router'
import { Page } from '../widgets/page.tsx'
import type { FormValues } from './definition.ts'
import { EntityForm } from './entity-form.tsx'

interface FormScreenProps {
  title: string
  entity: string
  type: string
  /** Where one comes to who gives it up. */
  back: string
  onDone: (answer: FormValues | undefined) => void
}

/** A form as a screen of its own: what an address of the navigation leads to, beside the dialog on a list. */
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
