/** Access to forms, by the service's rules: the access codes of all forms, and those of each form. */
import { isGiven, type AccessColumn } from './access-columns.ts'
import { forms } from '../../../../contract/metadata/all-forms.ts'
import {
  createFromForm,
  deleteFromForm,
  getFormValues,
  storeFromForm,
} from '../../../../contract/metadata/forms.ts'
import type { Form } from '../../../../contract/metadata/forms/form.ts'

export type FormStep = 'opens' | 'stores' | 'deletes'

/** What the role or group alone allows with a form, in this order. */
export function allowedSteps(form: Form, column: AccessColumn): FormStep[] {
  const store = form.submit.method === 'POST' ? createFromForm : storeFromForm
  return [
    ...(isGiven(getFormValues, column) && isGiven(form.open, column) ? (['opens'] as const) : []),
    ...(isGiven(store, column) && isGiven(form.submit, column) ? (['stores'] as const) : []),
    ...(form.remove && isGiven(deleteFromForm, column) && isGiven(form.remove, column)
      ? (['deletes'] as const)
      : []),
  ]
}

export const formName = ({ entity, type }: Form): string => `${entity}/${type}`

/** The alternatives of access codes that open and store the form. */
export const formAccess = ({ open, submit }: Form): string[] => [
  ...new Set([open, submit].map(({ access }) => (typeof access === 'string' ? access : access.join(', ')))),
]

export const findForms = (text: string): Form[] =>
  forms
    .filter((form) => `${formName(form)} ${formAccess(form).join(' ')}`.toLowerCase().includes(text))
    .toSorted((a, b) => formName(a).localeCompare(formName(b)))
