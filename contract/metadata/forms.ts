import { Type, type Static } from 'typebox'
import { operation, photoBodyBytesMax } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

/** The values of a form in an answer. A field without a value is omitted. */
export const FormValues = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  { $id: 'FormValues', description: 'From field code to value. A field without a value is omitted.' },
)
export type FormValues = Static<typeof FormValues>

/** The values of a form in a request. The form checks each one; S9 lists its fields. */
export const FormInput = Type.Unsafe<Record<string, unknown>>({
  $id: 'FormInput',
  type: 'object',
  additionalProperties: true,
  description:
    'From field code to a text, number or boolean; null means omitted. `GET /system/formdefinitions/{entity}/{type}` lists the fields of the form and the values of each.',
})

const whole = (description: string) => Type.Integer({ description })
const line = (description: string) => Type.String({ description })
const yes = (description: string) => Type.Boolean({ description })

export const FormField = Type.Object(
  {
    code: line("The field's name in form values and errors, and in the API if the entity has it."),
    editCode: line('The member to send in POST and PATCH; empty for a read-only field.'),
    displayCode: line('The member of the initial values to show.'),
    type: line('string, text, integer, decimal, money, boolean, date, datetime, guid or lookup.'),
    displayType: line('input, textarea, checkbox, select, typeahead, date, money or readonly.'),
    shortLabel: line("The label, in the caller's language."),
    longLabel: line('A longer label, where there is room.'),
    groupLabel: line('The label of its group.'),
    description: line('An explanation of the field.'),
    lookupCode: line('The lookup that lists its values, under `/system/lookups`; empty for none.'),
    lookupColumn: line('The member of a lookup value that is the value of the field: lookupKey.'),
    lookupField: yes('The values come from a lookup.'),
    mustMatchLookup: yes('A value that the lookup does not have is refused.'),
    minValue: line('The minimum value or date; empty for none.'),
    maxValue: line('The maximum value or date; empty for none.'),
    specificValues: line('The only values allowed, separated by commas; empty for any.'),
    length: whole('The maximum number of characters; 0 if it is not a text.'),
    dbLength: whole(
      'The size of the database column: characters of a text, else bytes; 0 if it is not stored.',
    ),
    multiline: whole('The number of lines to show: 1, or more for a multi-line text.'),
    allowBreak: yes('The value may have line breaks.'),
    required: yes('True if a value is required.'),
    allowNull: yes('True if the field can be empty.'),
    audit: yes('True if the audit trail shows its value before and after.'),
    personalDataTypeId: whole(
      'The kind of personal data: 0 none, 1 identity, 2 name, 3 contact, 4 address, 5 birth.',
    ),
    groupOrder: whole('The position of its group, starting at 1.'),
    fieldOrder: whole('Its position in the group, starting at 1.'),
    listFieldOrder: whole("Its position in the entity's list, starting at 1; 0 if it is not in the list."),
    searchEngineField: line("The member for `$filter` in the entity's list; empty if it cannot be filtered."),
    searchEngingeSortable: whole("1 if `$orderby` of the entity's list accepts it, else 0."),
  },
  { $id: 'FormField' },
)
export type FormField = Static<typeof FormField>

export const FormGroup = Type.Object(
  {
    label: line("In the caller's language."),
    columns: whole('The number of columns of fields.'),
    noTopDivider: yes('True to show no separator above the group.'),
    fields: Type.Array(FormField),
  },
  { $id: 'FormGroup' },
)

export const FormDefinition = Type.Object(
  {
    title: line("In the caller's language."),
    metadataFieldsType: line('The entity whose dictionary describes the fields.'),
    submitMethod: line('POST for a form that creates, PATCH for one that changes.'),
    submitBtnText: line("In the caller's language."),
    recalc: Type.Array(
      Type.Object(
        {
          recalcCode: line('The `recalc` of a recalculation.'),
          btnText: line("In the caller's language."),
          fields: Type.Array(Type.String(), { description: 'The fields that the result depends on.' }),
        },
        { $id: 'FormRecalculation' },
      ),
    ),
    groups: Type.Array(FormGroup),
  },
  { $id: 'FormDefinition' },
)
export type FormDefinition = Static<typeof FormDefinition>

const name = (title: string, maxLength = 50) => Type.String({ minLength: 1, maxLength, title })
const ofForm = Type.Object({ entity: name('Entity, such as debtor'), type: name('Form, such as create') })
const place = {
  id: Type.Optional(Type.String({ maxLength: 100, description: 'The main record.' })),
  subId: Type.Optional(Type.String({ maxLength: 100, description: 'A record below it.' })),
  name: Type.Optional(Type.String({ maxLength: 100, description: 'The name of an extra field.' })),
}
const query = Type.Object(place, { additionalProperties: false })

/** The form's operation on the same resource may require further access codes. */
const read = { access: ['form.read'] } as const
const write = { access: ['form.read', 'form.write'] } as const
const also = ' A form also needs the access code of the operation on the same resource.'
const path = '/system/forms/:entity/:type'
const newDebtor = { entity: 'debtor', type: 'create' }
const ofDebtor = { entity: 'debtor', type: 'edit' }
const debtorGuid = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'

export const getFormValues = operation({
  id: 'S1',
  name: 'getFormValues',
  method: 'GET',
  path,
  area: 'System',
  summary: 'Get initial form values',
  description: `Without \`id\` the initial values of a new record, with \`id\` the values of the record.${also}`,
  ...read,
  params: ofForm,
  query: Type.Object(
    {
      initialValues: Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Must be true.' }),
      ...place,
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: FormValues,
  versioned: true,
  example: {
    params: newDebtor,
    query: { initialValues: true },
    response: { juridicalType: 0, countryCode: 'SE', languageCode: 'sv', currencyCode: 'SEK' },
  },
})
export const recalculateForm = operation({
  id: 'S2',
  name: 'recalculateForm',
  method: 'POST',
  path: `${path}/recalculate`,
  area: 'System',
  summary: 'Recalculate form values',
  description: `Returns changed values and stores nothing. The form's definition lists its recalculations.${also}`,
  ...read,
  params: ofForm,
  query: Type.Object(
    {
      recalc: Type.String({
        minLength: 1,
        maxLength: 50,
        description: "A `recalcCode` of the form's definition.",
      }),
      ...place,
    },
    { additionalProperties: false },
  ),
  body: FormInput,
  bodyBytesMax: photoBodyBytesMax,
  status: 200,
  response: FormValues,
  example: {
    params: newDebtor,
    query: { recalc: 'idnumber' },
    body: { idNumber: '19900101-2385', countryCode: 'SE' },
    response: { dateOfBirth: '1990-01-01T00:00:00Z', gender: 2, juridicalType: 0 },
  },
})
export const createFromForm = operation({
  id: 'S3',
  name: 'createFromForm',
  method: 'POST',
  path,
  area: 'System',
  summary: 'Create a resource from a form',
  description: `Returns the new record's values and its GUID under its usual name.${also}`,
  ...write,
  headers: { 'X-Allow-Duplicate': 'As for the operation on the same resource (`POST /debtors`).' },
  params: ofForm,
  query,
  body: FormInput,
  bodyBytesMax: photoBodyBytesMax,
  status: 201,
  response: FormValues,
  problems: ['needs-approval', 'conflict', 'method-not-allowed'],
  versioned: true,
  example: {
    params: newDebtor,
    body: { firstname: 'Åsa', lastname: 'Lindqvist', city: 'Malmö', countryCode: 'SE' },
    response: {
      debtorGuid: '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1',
      debtorReference: '1000017',
      fullName: 'Åsa Lindqvist',
    },
  },
})
export const storeFromForm = operation({
  id: 'S4',
  name: 'storeFromForm',
  method: 'PATCH',
  path,
  area: 'System',
  summary: 'Store a resource from a form',
  description: `Send the fields to change. A field that is omitted or null stays; the empty string clears a text or date.${also}`,
  ...write,
  headers: {
    'X-Allow-Duplicate': 'As for the operation on the same resource (`PATCH /debtors/{debtorGuid}`).',
  },
  params: ofForm,
  query,
  body: FormInput,
  bodyBytesMax: photoBodyBytesMax,
  status: 200,
  response: Problem,
  problems: ['needs-approval', 'conflict', 'method-not-allowed'],
  versioned: true,
  example: {
    params: ofDebtor,
    query: { id: debtorGuid },
    body: { domicile: 'Lund', cellularPhone: '+46701740605' },
  },
})
export const deleteFromForm = operation({
  id: 'S5',
  name: 'deleteFromForm',
  method: 'DELETE',
  path,
  area: 'System',
  summary: 'Delete a resource via a form',
  description: `A record that others depend on cannot be deleted: the 409 names them.${also}`,
  ...write,
  params: ofForm,
  query,
  status: 200,
  response: Problem,
  problems: ['conflict', 'method-not-allowed'],
  versioned: true,
  example: { params: ofDebtor, query: { id: debtorGuid } },
})
export const getFormDefinition = operation({
  id: 'S9',
  name: 'getFormDefinition',
  method: 'GET',
  path: '/system/formdefinitions/:objectname/:formcode',
  area: 'System',
  summary: 'Get a form definition',
  description: `Everything that a screen needs to show the form, in the caller's language.${also}`,
  ...read,
  params: Type.Object({
    objectname: name('Main object, such as debtor'),
    formcode: name('Form, such as create'),
  }),
  status: 200,
  response: FormDefinition,
  example: { params: { objectname: 'debtor', formcode: 'create' } },
})
