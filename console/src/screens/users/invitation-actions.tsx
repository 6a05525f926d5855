import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { useWork } from '../../widgets/use-work.ts'

/** Says what was done, and reads the user again. */
function finish(message: string): Promise<unknown> {
  noticeDone(message)
  return refresh('listUsers', 'getUser')
}

/** For a user who has not accepted the invitation yet: send it again, or withdraw it. */
export function InvitationActions({ userGuid }: { userGuid: string }) {
  const { t } = useTranslation()
  const [withdrawing, setWithdrawing] = useState(false)
  const sending = useWork()
  const sendAgain = () =>
    api.inviteUser({ userGuid }).then(() => finish(t('invitation.againDone')), noticeProblem)
  return (
    <>
      <Button variant="default" loading={sending.busy} onClick={() => void sending.run(sendAgain)}>
        {t('invitation.again')}
      </Button>
      <Button variant="default" onClick={() => setWithdrawing(true)}>
        {t('invitation.withdraw')}
      </Button>
      {withdrawing && (
        <ConfirmDialog
          title={t('invitation.withdraw')}
          about={t('invitation.withdrawAbout')}
          confirm={t('invitation.withdraw')}
          onConfirm={() =>
            api.withdrawInvitation({ userGuid }).then(() => finish(t('invitation.withdrawDone')))
          }
          onClose={() => setWithdrawing(false)}
        />
      )}
    </>
  )
}
