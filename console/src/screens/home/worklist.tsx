import { useTranslation } from 'react-i18next'
import { Page } from '../../widgets/page.tsx'
import WorklistRows from './worklist-rows.tsx'

export default function Worklist() {
  const { t } = useTranslation()
  return (
    <Page title={t('worklist.title')}>
      <WorklistRows />
    </Page>
  )
}
