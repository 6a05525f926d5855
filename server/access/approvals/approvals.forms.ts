import * as layout from '../../../contract/metadata/forms/approvals.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { addLimit, changeLimit, removeLimit, requireLimit } from './approval-limits.changes.ts'

export const approvalForms = (): FormHandler[] => [
  handle(layout.approvalLimitCreate, {
    defaults: () => ({}),
    create: async ({ db, body, origin }) => {
      const { version, ...record } = await addLimit(db, body, origin)
      return { record, version }
    },
  }),
  handle(layout.approvalLimitEdit, {
    find: async ({ db, id }) => {
      const { version, ...record } = await requireLimit(db, id)
      return { record, version }
    },
    store: ({ db, id, body, origin, ifMatch }) => changeLimit(db, { guid: id, input: body, ifMatch }, origin),
    remove: ({ db, id, origin, ifMatch }) => removeLimit(db, { guid: id, ifMatch }, origin),
  }),
]
