import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export { notifications } from '@mantine/notifications'

/** Notices stand in the header (`console.css`), where they cover no row, button or save bar of the screen. */
export default function NoticeArea() {
  return <Notifications position="top-right" autoClose={5000} limit={1} />
}
