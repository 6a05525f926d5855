import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { usePutAway } from './first-steps.ts'
import SetupSteps from './setup-steps.tsx'

/** The first steps, at their place under Set-up and as the start screen of an empty agency. */
export default function SetupPage() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...reading('listSetupSteps'), staleTime: 0 })
  const { isAway, putAway } = usePutAway()
  const toggle = () => {
    putAway(!isAway)
    if (!isAway) noticeDone(t('setup.isAway'))
  }
  return (
    <Page
      title={t('setup.title')}
      about={t('setup.about')}
      actions={
        data?.body.isEmpty === true &&
        isAway !== undefined && (
          <Button variant="default" onClick={toggle}>
            {t(isAway ? 'setup.bringBack' : 'setup.putAway')}
          </Button>
        )
      }
    >
      <SetupSteps />
    </Page>
  )
}
