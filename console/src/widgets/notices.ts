import { notifications } from '@mantine/notifications'
import { i18n } from '../texts/languages.ts'
import { problemDetail, problemTitle } from './problem-alert.tsx'

const closable = () => ({ closeButtonProps: { 'aria-label': i18n.t('action.close') } })

export const noticeDone = (message: string): void => {
  notifications.show({ message, color: 'teal', withBorder: true, ...closable() })
}

export const noticeProblem = (error: unknown): void => {
  notifications.show({
    title: problemTitle(error),
    message: problemDetail(error),
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
    ...closable(),
  })
}
