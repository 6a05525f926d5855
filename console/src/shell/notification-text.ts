/** What a notification says, and the screen that it leads to. */
import type { TFunction } from 'i18next'
import type { Notification } from '../../../contract/platform/notifications.ts'
import { codeLabel, translateLabel } from '../texts/labels.ts'

const ofOneAct = {
  APPROVAL_WAITING: 'notification.approvalWaiting',
  APPROVED: 'notification.approved',
  REJECTED: 'notification.rejected',
  ENDED: 'notification.ended',
  JOB_DONE: 'notification.jobDone',
  JOB_FAILED: 'notification.jobFailed',
} as const
const ofCases = {
  ASSIGNED: 'notification.assigned',
  MENTION: 'notification.mention',
  PROMISE_DUE: 'notification.promiseDue',
  PROMISE_BROKEN: 'notification.promiseBroken',
} as const
/** Jobs that are neither a command nor a service. */
const jobKinds = { bulk: 'notification.job.bulk', 'payment-file': 'notification.job.paymentFile' } as const

export function notificationText(t: TFunction, one: Notification): string {
  const name = one.actorName ?? t('notification.somebody')
  if (one.kind in ofCases)
    return t(ofCases[one.kind as keyof typeof ofCases], {
      count: one.count,
      case: one.caseNumber ?? '',
      name,
    })
  return t(ofOneAct[one.kind as keyof typeof ofOneAct], {
    name,
    act: codeLabel('act', one.act ?? ''),
    job: jobText(t, one.jobName ?? ''),
  })
}

const jobText = (t: TFunction, job: string) =>
  Object.hasOwn(jobKinds, job)
    ? t(jobKinds[job as keyof typeof jobKinds])
    : translateLabel(`lookup.command.${job}`, job)

/** Undefined when there is no screen that the user may open. */
export function notificationUrl(one: Notification, mayReadJobs: boolean): string | undefined {
  if (one.kind === 'APPROVAL_WAITING') return '/approvals'
  if (one.caseGuid !== null) return `/cases/${one.caseGuid}`
  if (one.debtorGuid !== null) return `/debtors/${one.debtorGuid}`
  if (one.approvalGuid !== null) return '/approvals'
  if (one.jobId !== null) return mayReadJobs ? '/jobs' : undefined
  return one.count > 1 ? '/' : undefined
}
