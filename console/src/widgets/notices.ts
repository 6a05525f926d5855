import { notifications } from '@mantine/notifications'
import { detailOf, titleOf } from './problem-alert.tsx'

export const noticeDone = (message: string): void => {
  notifications.show({ message, color: 'teal', withBorder: true })
}

export const noticeProblem = (error: unknown): void => {
  notifications.show({
    title: titleOf(error),
    message: detailOf(error),
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
  })
}
