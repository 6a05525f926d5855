/** Which record a form is about: `id` the main one, `subId` one below it, `name` an extra field. */
export interface FormPlace {
  id?: string
  subId?: string
  name?: string
}
