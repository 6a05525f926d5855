import * as layout from '../../../contract/metadata/forms/objections.ts'
import { handle, type FormCall, type FormHandler } from '../../platform/dictionary/handler.ts'
import { requireCase } from '../all-cases.store.ts'
import * as changes from './objections.changes.ts'
import { requireObjection } from './objections.store.ts'

const find = async ({ db, caller, id }: FormCall) => {
  const { version, ...record } = await requireObjection(db, caller, id)
  return { record, version }
}

export const objectionForms = (): FormHandler[] => [
  handle(layout.objectionCreate, {
    defaults: async ({ db, caller, id }) => {
      if (id !== '') await requireCase(db, caller, id)
      return { matter: 'OBJECTION', kind: 'OTHER' }
    },
    create: async ({ db, caller, id, body, origin }) => {
      const guid = await changes.recordObjection(db, caller, { caseGuid: id, input: body }, { origin })
      const { version, ...record } = await requireObjection(db, caller, guid)
      return { record, version, location: `/system/forms/objection/answer?initialValues=true&id=${guid}` }
    },
  }),
  handle(layout.objectionAnswer, {
    find,
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changes.answerObjection(db, caller, { objectionGuid: id, input: body, ifMatch }, { origin }),
  }),
  handle(layout.objectionDecide, {
    find: async (call) => {
      const { record, version } = await find(call)
      const { amount: _, ...shown } = record
      return { record: { ...shown, decision: null }, version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changes.decideObjection(db, caller, { objectionGuid: id, input: body, ifMatch }, { origin }),
  }),
]
