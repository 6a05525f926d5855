import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SetupGap, SetupStepCode } from '../../../../contract/insight/setup-steps.ts'
import { userCulture } from '../../format/format.ts'

/** The forms of the agency that open over the steps. */
export type AgencyForm = 'edit' | 'terms'

interface SetupGapLinkProps {
  step: SetupStepCode
  missing: SetupGap
  onOpen: (form: AgencyForm) => void
}

/** What is missing, as the way to where it is done. */
export function SetupGapLink({ step, missing, onOpen }: SetupGapLinkProps) {
  const { t } = useTranslation()
  const { gap, countryCode, clientName } = missing
  const said = t(`setup.gap.${gap}`, {
    country: countryCode === null ? '' : countryName(countryCode),
    client: clientName ?? '',
  })
  const form = findAgencyForm(step, gap)
  if (form) {
    return (
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpen(form)}>
        {said}
      </Anchor>
    )
  }
  const section = settingSections[gap]
  if (section !== undefined) {
    return (
      <Text size="sm">
        {said}{' '}
        <Anchor
          size="sm"
          underline="always"
          href={`/docs/operate/settings#${section}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('setup.mailServerHow')}
        </Anchor>
      </Text>
    )
  }
  return (
    <>
      <Anchor component={Link} to={findScreen(missing) as '/'} size="sm">
        {said}
      </Anchor>
      {gap === 'CASE' && (
        <Anchor component={Link} to="/cases/new" size="sm">
          {t('setup.registerCase')}
        </Anchor>
      )}
    </>
  )
}

/** What whoever runs the server sets, by its part of the list of settings. */
const settingSections: Partial<Record<SetupGap['gap'], string>> = {
  MAIL_SERVER: 'e-mail-and-text-messages',
  PUBLIC_URL: 'server',
  LETTER_FOLDER: 'jobs-services-and-letters',
}

function findAgencyForm(step: SetupStepCode, gap: SetupGap['gap']): AgencyForm | undefined {
  if (step === 'BANK') return 'terms'
  return step === 'COMPANY' || gap === 'COUNTRY' ? 'edit' : undefined
}

function findScreen({ gap, clientGuid, userGuid }: SetupGap): string {
  switch (gap) {
    case 'REFERENCE_RATE':
      return '/rates'
    case 'CLIENT':
      return '/clients/new'
    case 'CASE_HANDLER':
      return '/users/new'
    case 'CASE':
      return '/import'
    case 'LAW_PACK':
      return '/clients'
    case 'ADMINISTRATOR_EMAIL':
      return `/users/${userGuid}`
    default:
      return `/clients/${clientGuid}`
  }
}

const countryName = (code: string): string =>
  new Intl.DisplayNames(userCulture(), { type: 'region' }).of(code) ?? code
