/** Calls an operation inside the server with a caller's rights: as over HTTP, but in the given transaction. */
import type { Operation, Reply } from '../../../contract/platform/operation.ts'
import { requireAccess } from './admit.ts'
import type { InsideCall } from './inside-call.ts'
import type { Answer, Checked, Served, Unchecked } from './served.ts'

export const insideCallOf = <O extends Operation>(
  op: O,
  checks: (request: Unchecked) => Checked<O>,
  handle: (served: Served<O>) => Promise<Answer<Reply<O>>>,
): InsideCall => ({
  operation: op,
  call: async ({ db, caller, origin, params = {}, query = {}, body, ifMatch }) => {
    requireAccess(op, caller)
    const served: Served<O> = {
      db,
      caller,
      origin,
      ...checks({ params: { ...params }, query, body }),
      ifMatch: ifMatch === undefined ? undefined : [ifMatch],
      path: op.path,
      headers: {},
      address: '',
      onClose: () => {},
      protocol: 'https',
    }
    const answer = await handle(served)
    return { status: answer.accepted === true ? 202 : op.status, body: answer.body }
  },
})
