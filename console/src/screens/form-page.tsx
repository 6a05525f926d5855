import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EntityForm } from '../forms/entity-form.tsx'
import { translateLabel } from '../texts/labels.ts'
import { noticeDone } from '../widgets/notices.ts'
import { Page } from '../widgets/page.tsx'

/** Any form by its address, for entities without a screen of their own. */
export default function FormPage() {
  const { t } = useTranslation()
  const { entity, type } = useParams({ from: '/forms/$entity/$type' })
  const place = useSearch({ from: '/forms/$entity/$type' })
  const router = useRouter()
  return (
    <Page title={translateLabel(`form.${entity}.${type}`, `${entity} ${type}`)}>
      <div className="panel" style={{ padding: '1.25rem' }}>
        <EntityForm
          entity={entity}
          type={type}
          place={place}
          onDone={() => {
            noticeDone(t('form.stored'))
            router.history.back()
          }}
          onCancel={() => router.history.back()}
        />
      </div>
    </Page>
  )
}
