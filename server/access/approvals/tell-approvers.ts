/** Tells those who may decide a request that it waits, and who requested it what was decided. */
import { roleAccessCodes, type AccessCode, type UserRole } from '../../../contract/access/access.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { toldUsers } from '../../platform/notifications/notify.ts'

/** At most so many are told of a request; everybody who may decide it finds it in the list. */
const toldMax = 200

/** Users with the act's access code, by role or group. Those restricted to other clients do not see what they are told. */
export async function tellApprovers(tx: Db, approvalGuid: string, code: AccessCode): Promise<void> {
  const roles = Object.entries(roleAccessCodes)
    .filter(([, codes]) => codes.includes(code))
    .map(([role]) => Number(role) as UserRole)
  await tx`
    insert into notification (user_id, kind, merge_key, case_id, client_id, approval_id, name, actor_id)
    select u.id, 'APPROVAL_WAITING', ap.id::text, ap.case_id, coalesce(c.client_id, ap.client_id), ap.id, ap.act, ap.requested_by
    from approval ap left join debt_case c on c.id = ap.case_id
      join app_user u on u.id <> ap.requested_by and not u.disabled and not u.api_user
    where ap.id = ${approvalGuid} and (u.user_role = any(${roles}::int[]) or exists (
      select from user_access_group x join access_group g on g.id = x.access_group_id
      where x.user_id = u.id and ${code} = any(g.access_codes)))
    order by u.user_role, u.id limit ${toldMax}`
}

/** Nobody is told any longer that a decided request waits. Who withdraws their own knows it. */
export async function tellRequester(tx: Db, approvalGuid: string): Promise<void> {
  await tx`delete from notification where approval_id = ${approvalGuid} and kind = 'APPROVAL_WAITING'`
  await tx`
    insert into notification (user_id, kind, merge_key, case_id, client_id, approval_id, name, actor_id)
    select ap.requested_by, ap.status, ap.id::text, ap.case_id, coalesce(c.client_id, ap.client_id), ap.id, ap.act, ap.decided_by
    from approval ap left join debt_case c on c.id = ap.case_id ${tx.unsafe(toldUsers('ap.requested_by'))}
    where ap.id = ${approvalGuid} and ap.status in ('APPROVED', 'REJECTED', 'ENDED')`
}
