import { anyParty } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Trials `t`. A restricted caller sees those of one client, with its clients below, of whom none is hidden. */
export const visibleTrials = (caller: Caller): Scope<'trial'> =>
  defineScope('trial', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `t.client_id = ${anyParty(caller, bind)} and not exists (
          with recursive below as (
            select t.client_id as id union all select p.id from party p join below b on p.parent_id = b.id)
          select from below where id <> all(${bind([...caller.partyIds], 'uuid[]')}))`,
  )
