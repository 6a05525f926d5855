/** The record of a form: `id` is the main record, `subId` a record below it, `name` an extra field. */
export interface FormPlace {
  id?: string
  subId?: string
  name?: string
}
