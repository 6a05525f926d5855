import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { CopyText } from '../../widgets/copy-text.tsx'
import { ShownOnce } from '../../widgets/shown-once.tsx'
import { DayField } from '../../widgets/days/day-field.tsx'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

export interface ShownSecret {
  clientId: string
  clientSecret: string
}

interface NewSecretDialogProps {
  userGuid: string
  onDone: (made: ShownSecret) => void
  onClose: () => void
}

/** Makes a secret, and asks how long the others go on working. */
export function NewSecretDialog({ userGuid, onDone, onClose }: NewSecretDialogProps) {
  const { t } = useTranslation()
  const [last, setLast] = useState('')
  const make = async () => {
    const body = last === '' ? {} : { endOthersOn: last }
    const made = await api.createClientSecret({ userGuid, body })
    await refresh('listClientSecrets')
    onDone(made)
  }
  return (
    <WorkDialog title={t('secrets.new')} submit={t('secrets.new')} onSubmit={make} onClose={onClose}>
      <Text size="sm">{t('secrets.newAbout')}</Text>
      <DayField
        label={t('secrets.last')}
        description={t('secrets.lastAbout')}
        value={last}
        data-autofocus
        onChange={setLast}
      />
    </WorkDialog>
  )
}

/** The secret of an API user. */
export function ShownSecretDialog({
  clientId,
  clientSecret,
  onClose,
}: ShownSecret & {
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <ShownOnce
      title={t('secrets.shown')}
      about={t('secrets.about')}
      kept={t('secrets.kept')}
      onClose={onClose}
    >
      <CopyText label={t('secrets.id')} text={clientId} />
      <CopyText label={t('secrets.secret')} text={clientSecret} />
    </ShownOnce>
  )
}
