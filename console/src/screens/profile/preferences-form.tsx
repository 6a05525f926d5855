import { Button, Select, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { findLocalValues, describeLocalValue } from '../../forms/local-lookups.ts'
import { reloadUser, useUser } from '../../session/session.ts'
import { keepLanguage, languages } from '../../texts/languages.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

export function PreferencesForm() {
  const { t } = useTranslation()
  const user = useUser()
  const [languageCode, setLanguage] = useState(user.languageCode ?? '')
  const [countryFormat, setCountry] = useState(user.countryFormat ?? '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'GB', 'US']
  const offered =
    countries.includes(countryFormat) || countryFormat === '' ? countries : [countryFormat, ...countries]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await api.updateCurrentUser({ body: { languageCode, countryFormat, cultureCode: '' } })
      await reloadUser()
      keepLanguage()
      noticeDone(t('form.stored'))
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <ProblemAlert error={error} />
        <Select
          label={t('profile.language')}
          data={findLocalValues('language', '').map(({ key, text }) => ({ value: key, label: text }))}
          value={languageCode in languages ? languageCode : null}
          onChange={(value) => setLanguage(value ?? '')}
          allowDeselect={false}
        />
        <Select
          label={t('profile.formats')}
          description={t('profile.formatsAbout')}
          data={offered.map((key) => ({ value: key, label: describeLocalValue('country', key) }))}
          value={countryFormat || null}
          onChange={(value) => setCountry(value ?? '')}
          allowDeselect={false}
        />
        <Button type="submit" loading={busy} w="fit-content">
          {t('action.save')}
        </Button>
      </Stack>
    </form>
  )
}
