/** The form of a case's handler, team and next action. */
import { caseHandling } from '../../contract/metadata/forms/work.ts'
import { requireCase } from '../cases/all-cases.store.ts'
import { handle, type FormHandler } from '../platform/dictionary/handler.ts'
import { changeHandling } from './work.changes.ts'
import { findHandling } from './work.store.ts'

export const workForms = (): FormHandler[] => [
  handle(caseHandling, {
    find: async ({ db, caller, id }) => {
      const { caseGuid, version } = await requireCase(db, caller, id)
      return { record: { caseGuid, ...(await findHandling(db, caller, caseGuid)) }, version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeHandling(db, caller, { caseGuid: id, input: body, ifMatch }, origin),
  }),
]
