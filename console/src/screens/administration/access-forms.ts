/** Access to forms, by the service's rules: the access codes of all forms, and those of each form. */
import { isGiven, type AccessColumn } from './access-columns.ts'
import { everyForm, formRules } from './access-rules.data.ts'

export type FormStep = 'opens' | 'stores' | 'deletes'
export type FormRules = (typeof formRules)[number]

/** What the role or group alone allows with a form, in this order. */
export function allowedSteps(form: FormRules, column: AccessColumn): FormStep[] {
  const store = form.submit.method === 'POST' ? everyForm.create : everyForm.store
  return [
    ...(isGiven(everyForm.open, column) && isGiven(form.open, column) ? (['opens'] as const) : []),
    ...(isGiven(store, column) && isGiven(form.submit, column) ? (['stores'] as const) : []),
    ...(form.remove && isGiven(everyForm.remove, column) && isGiven(form.remove, column)
      ? (['deletes'] as const)
      : []),
  ]
}

export const formName = ({ entity, type }: Pick<FormRules, 'entity' | 'type'>): string => `${entity}/${type}`

/** The alternatives of access codes that open and store the form. */
export const formAccess = ({ open, submit }: FormRules): string[] => [
  ...new Set([open, submit].map(({ access }) => (typeof access === 'string' ? access : access.join(', ')))),
]

/** The forms of which the label, the name or an access code has the text, by their labels. */
export const findForms = (text: string, label: (form: FormRules) => string = formName): FormRules[] =>
  formRules
    .filter((form) =>
      `${label(form)} ${formName(form)} ${formAccess(form).join(' ')}`.toLowerCase().includes(text),
    )
    .toSorted((a, b) => label(a).localeCompare(label(b)))
