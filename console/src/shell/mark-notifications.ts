import { api } from '../api/client.ts'
import { refresh } from '../api/queries.ts'
import { noticeProblem } from '../widgets/notices.ts'

/** Marks notifications, all that are unread if none is named, and shows it. */
export async function markNotifications(
  isRead: boolean,
  notificationGuids?: readonly string[],
): Promise<void> {
  try {
    await api.markNotifications({
      body: { isRead, ...(notificationGuids && { notificationGuids: [...notificationGuids] }) },
    })
  } catch (error) {
    noticeProblem(error)
  }
  await refresh('countNotifications', 'listNotifications')
}
