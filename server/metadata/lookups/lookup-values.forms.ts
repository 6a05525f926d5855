import * as layout from '../../../contract/metadata/forms/system.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { notFound } from '../../platform/http/errors.ts'
import * as values from './lookup-values.changes.ts'

export const lookupValueForms = (countUses: values.CountUses): FormHandler[] => [
  handle(layout.lookupValueCreate, {
    defaults: () => ({ position: 0 }),
    create: async ({ db, caller, body, origin }) => {
      const made = await values.addLookupValue(db, caller, body, origin)
      return { record: values.valueMembers(made), version: made.version }
    },
  }),
  handle(layout.lookupValueEdit, {
    find: async ({ db, id }) => {
      const value = await values.findLookupValue(db, id)
      if (!value) throw notFound('lookup value')
      return { record: values.valueMembers(value), version: value.version }
    },
    store: ({ db, id, body, origin, ifMatch }) =>
      values.changeLookupValue(db, { guid: id, input: body, ifMatch }, origin),
    remove: ({ db, id, origin, ifMatch }) =>
      values.removeLookupValue(db, { guid: id, ifMatch }, { countUses, origin }),
  }),
]
