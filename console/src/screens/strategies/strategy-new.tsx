import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../../widgets/page.tsx'
import { StrategyEditor } from './strategy-editor.tsx'

export default function StrategyNew() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('strategy.new')} about={t('strategy.about')}>
      <StrategyEditor
        onDone={({ strategyGuid }) =>
          void navigate({ to: '/strategies/$strategyGuid', params: { strategyGuid } })
        }
        onCancel={() => void navigate({ to: '/strategies' })}
      />
    </Page>
  )
}
