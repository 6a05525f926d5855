/** Tells users of their jobs that ended. */
import { toldUsers } from './notify.ts'

/**
 * One more common table expression. `ended` has the columns of an audit entry of a job. The name of a command or
 * service says what it was, of other jobs their kind. A strategy's services run in
 * the name of a user who did not ask for each: they have no request.
 */
export const tellAskers = (ended: string): string => `
  told_askers as (
    insert into notification (user_id, kind, merge_key, job_id, name)
    select e.actor_id, case e.action when 'failed' then 'JOB_FAILED' else 'JOB_DONE' end, e.subject::text, e.subject,
      case when e.data ->> 'kind' in ('command', 'service') then e.operation else e.data ->> 'kind' end
    from ${ended} e ${toldUsers('e.actor_id')}
    where e.action in ('completed', 'failed') and e.request_id is not null
    on conflict (user_id, kind, merge_key) do update set created_at = now(), read_at = null
  )`
