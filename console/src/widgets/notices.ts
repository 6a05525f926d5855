import type { NotificationData } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { createStore } from '../store.ts'
import { i18n } from '../texts/languages.ts'
import { problemDetail, problemTitle } from './problem-alert.tsx'

/** True from the first notice on: the area that shows notices is loaded then. */
export const hasNotices = createStore(false)
export const loadNotices = () => import('./notice-area.tsx')

async function show(notice: NotificationData): Promise<void> {
  hasNotices.set(true)
  const { notifications } = await loadNotices()
  // The header has room for one: the latest.
  notifications.clean()
  notifications.show({ withBorder: true, ...closable(), ...notice })
}

const closable = () => ({ closeButtonProps: { 'aria-label': i18n.t('action.close') } })

export const noticeDone = (message: string): void => {
  void show({ message, color: 'teal' })
}

/** A notice that offers something, such as to undo what was done. It stays longer. */
export const noticeWith = (message: ReactNode): void => {
  void show({ message, color: 'teal', autoClose: 15_000 })
}

export const noticeProblem = (error: unknown): void => {
  void show({
    title: problemTitle(error),
    message: problemDetail(error),
    color: 'red',
    autoClose: 12_000,
  })
}

export const noticeLimit = (message: string): void => {
  void show({ message, color: 'yellow' })
}
