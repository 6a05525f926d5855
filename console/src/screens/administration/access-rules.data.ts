/** What operations and forms ask of a caller. The build puts the values in this file's place. */
import { operations } from '../../../../contract/api.ts'
import { forms } from '../../../../contract/metadata/all-forms.ts'
import {
  createFromForm,
  deleteFromForm,
  getFormValues,
  storeFromForm,
} from '../../../../contract/metadata/forms.ts'
import type { Access } from '../../../../contract/metadata/forms/form.ts'

const pickAccess = ({ access, roles }: Access): Pick<Access, 'access' | 'roles'> => ({
  access,
  ...(roles && { roles }),
})

export const operationRules = operations.map((operation) => ({
  id: operation.id,
  summary: operation.summary,
  area: operation.area,
  ...pickAccess(operation),
}))

export const formRules = forms.map(({ entity, type, open, submit, remove }) => ({
  entity,
  type,
  open: pickAccess(open),
  submit: { method: submit.method, ...pickAccess(submit) },
  ...(remove && { remove: pickAccess(remove) }),
}))

/** What the operations of every form ask. */
export const everyForm = {
  open: pickAccess(getFormValues),
  create: pickAccess(createFromForm),
  store: pickAccess(storeFromForm),
  remove: pickAccess(deleteFromForm),
}
