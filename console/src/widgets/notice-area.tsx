import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export { notifications } from '@mantine/notifications'

/** Where notices are shown. */
export default function NoticeArea() {
  return <Notifications position="bottom-right" autoClose={5000} />
}
