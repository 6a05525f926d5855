import { Button, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { userCulture } from '../../format/format.ts'
import { reloadUser, useUser } from '../../session/session.ts'
import { keepLanguage, languages } from '../../texts/languages.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

const languageChoices = () => {
  const { compare } = new Intl.Collator(userCulture())
  return Object.entries(languages)
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => compare(a.label, b.label))
}
const countryName = (code: string): string => {
  const name = new Intl.DisplayNames(userCulture(), { type: 'region', fallback: 'none' }).of(code)
  return name === undefined ? code : `${name} (${code})`
}

export function PreferencesForm() {
  const { t } = useTranslation()
  const user = useUser()
  const [languageCode, setLanguage] = useState(user.languageCode ?? '')
  const [countryFormat, setCountry] = useState(user.countryFormat ?? '')
  const work = useWork()
  const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'GB', 'US']
  const offered =
    countries.includes(countryFormat) || countryFormat === '' ? countries : [countryFormat, ...countries]
  const store = async () => {
    await api.updateCurrentUser({ body: { languageCode, countryFormat, cultureCode: '' } })
    await reloadUser()
    keepLanguage()
    noticeDone(t('form.stored'))
  }
  return (
    <form onSubmit={work.onSubmit(store)} noValidate>
      <Stack gap="sm">
        <ProblemAlert error={work.error} />
        <Select
          label={t('profile.language')}
          data={languageChoices()}
          value={languageCode in languages ? languageCode : null}
          onChange={(value) => setLanguage(value ?? '')}
          allowDeselect={false}
        />
        <Select
          label={t('profile.formats')}
          description={t('profile.formatsAbout')}
          data={offered.map((code) => ({ value: code, label: countryName(code) }))}
          value={countryFormat || null}
          onChange={(value) => setCountry(value ?? '')}
          allowDeselect={false}
        />
        <Button type="submit" loading={work.busy} w="fit-content">
          {t('action.save')}
        </Button>
      </Stack>
    </form>
  )
}
