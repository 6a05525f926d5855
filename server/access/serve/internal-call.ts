/** Calls an operation inside the server with a caller's rights: as over HTTP, but in the given transaction. */
import type { Operation, Reply } from '../../../contract/platform/operation.ts'
import { requireAccess } from './admit.ts'
import type { InternalCall } from './internal-call-types.ts'
import type { Answer, CheckedRequest, HandlerRequest, RawRequest } from './handler-request.ts'

export const createInternalCall = <O extends Operation>(
  op: O,
  checks: (request: RawRequest) => CheckedRequest<O>,
  handle: (served: HandlerRequest<O>) => Promise<Answer<Reply<O>>>,
): InternalCall => ({
  operation: op,
  call: async ({ db, caller, origin, params = {}, query = {}, body, ifMatch }) => {
    requireAccess(op, caller)
    const served: HandlerRequest<O> = {
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
