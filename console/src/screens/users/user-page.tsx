import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userFields, type User } from '../../../../contract/access/users.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { readListFields } from '../../lists/list-fields.ts'
import { useMay, useUser } from '../../session/session.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Facts } from '../../widgets/facts.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { InvitationActions } from './invitation-actions.tsx'
import { SecretsPanel } from './secrets-panel.tsx'

const dictionary = readListFields({ properties: userFields })
const shown = [
  'email',
  'userCode',
  'partyReferenceCode',
  'userRole',
  'department',
  'phoneNumber',
  'cellularPhoneNumber',
  'languageCode',
  'disabled',
  'apiUser',
]

export default function UserPage() {
  const { t } = useTranslation()
  const { userGuid } = useParams({ from: '/users/$userGuid' })
  const mayWrite = useMay('user.write')
  const navigate = useNavigate()
  const { data, error } = useQuery(reading('getUser', { userGuid }))
  // Keeps showing the old data when a reload fails: a dialog over it may have input.
  if (error && !data)
    return (
      <Page title={t('navigation.users')}>
        <ProblemAlert error={error} />
      </Page>
    )
  const user = data?.body
  const done = () => {
    noticeDone(t('form.stored'))
    void refresh('listUsers', 'getUser')
    void navigate({ to: '/users', ignoreBlocker: true })
  }
  return (
    <Page
      title={user?.fullName ?? t('user.title')}
      about={user?.email ?? ' '}
      actions={mayWrite && user && <UserActions user={user} />}
    >
      {mayWrite ? (
        <>
          {user?.apiUser && <SecretsPanel userGuid={userGuid} />}
          <div className="panel" style={{ padding: '1.25rem' }}>
            <EntityForm
              entity="user"
              type="edit"
              place={{ id: userGuid }}
              onDone={done}
              onCancel={() => void navigate({ to: '/users' })}
            />
          </div>
        </>
      ) : (
        <Panel title={t('group.identity')}>
          {user ? <Facts fields={dictionary} names={shown} record={user} /> : <LinesSkeleton />}
        </Panel>
      )}
    </Page>
  )
}

/** A user who has not accepted an invitation has no factor to lose. */
function UserActions({ user: { uniqueId, invitation } }: { user: Pick<User, 'uniqueId' | 'invitation'> }) {
  const isOpen = invitation === 'INVITED' || invitation === 'EXPIRED'
  return isOpen ? <InvitationActions userGuid={uniqueId} /> : <ResetFactor userGuid={uniqueId} />
}

/** For a user who lost the second factor. The profile changes one's own. */
function ResetFactor({ userGuid }: { userGuid: string }) {
  const { t } = useTranslation()
  const { uniqueId } = useUser()
  const [asking, setAsking] = useState(false)
  if (uniqueId === userGuid) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('user.resetMfa')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('user.resetMfa')}
          about={t('user.resetMfaAbout')}
          confirm={t('user.resetMfa')}
          onConfirm={() => api.resetMfa({ userGuid }).then(() => noticeDone(t('user.resetMfaDone')))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
