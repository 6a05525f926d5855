/** Forms over the operations of the contract: what they hold, where their values come from, and where they go. */
import { addressFields } from '../../../contract/addresses.ts'
import { debtorFields } from '../../../contract/debtors.ts'
import { api } from '../api/client.ts'
import { defineForm, type GroupPlan } from './dictionary-form.ts'
import { userForms } from './local-user-forms.ts'
import { changing, create, duplicate, flat, lookups, store, t, type Load } from './record-form.ts'

const person: () => GroupPlan[] = () => [
  {
    label: t('group.identity'),
    fields: [
      'idNumber',
      'juridicalType',
      'fullName',
      'firstname',
      'middlename',
      'lastname',
      'dateOfBirth',
      'gender',
      'vatNumber',
    ],
  },
]
const contact: () => GroupPlan[] = () => [
  {
    label: t('group.contact'),
    fields: ['cellularPhone', 'homePhone', 'workPhone', 'email', 'languageCode', 'currencyCode'],
  },
]
const address: () => GroupPlan[] = () => [
  {
    label: t('group.address'),
    fields: ['street', 'houseNo', 'houseNoExtension', 'zipCode', 'city', 'stateCode', 'countryCode'],
  },
]
const more: () => GroupPlan[] = () => [
  {
    label: t('group.more'),
    fields: [
      'nameSuffix',
      'placeOfBirth',
      'domicile',
      'municipalCode',
      'naceCode',
      'telefax',
      'cultureCode',
      'conversationNotificationChannel',
      'conversationNotificationEmail',
      'conversationNotificationCellularPhone',
    ],
  },
]
const addressPlan: () => GroupPlan[] = () => [
  {
    label: '',
    columns: 2,
    fields: [
      'addressType',
      'fullName',
      'street',
      'houseNo',
      'zipCode',
      'city',
      'stateCode',
      'countryCode',
      'validFrom',
      'validTo',
      'addressNotValidDate',
      'defaultAddress',
    ],
  },
]

const debtors: Record<string, Load> = {
  'debtor create': () =>
    Promise.resolve({
      ...lookups,
      definition: defineForm(
        t('debtor.new'),
        debtorFields,
        [...person(), ...address(), ...contact()],
        create(),
      ),
      values: {},
      submit: async (body, { allowDuplicate }) =>
        flat(await api.createDebtor({ body }, allowDuplicate ? duplicate : {})),
    }),
  'debtor edit': ({ id = '' }) =>
    changing(
      defineForm(t('debtor.edit'), debtorFields, [...person(), ...contact(), ...more()], store()),
      () => api.withAnswer.getDebtor({ debtorGuid: id }),
      (body, options) => api.updateDebtor({ debtorGuid: id, body }, options),
    ),
  'address create': ({ id = '' }) =>
    Promise.resolve({
      ...lookups,
      definition: defineForm(t('address.new'), addressFields, addressPlan(), create()),
      values: { addressType: 'LEGAL' },
      submit: async (body) => flat(await api.createAddress({ debtorGuid: id, body })),
    }),
  'address edit': ({ id = '', subId = '' }) => {
    const place = { debtorGuid: id, addressGuid: subId }
    return changing(
      defineForm(t('address.edit'), addressFields, addressPlan(), store()),
      () => api.withAnswer.getAddress(place),
      (body, options) => api.updateAddress({ ...place, body }, options),
    )
  },
}

/** The service keeps several values under a name; each is a line here. */
const extraField = {
  name: { type: 'string', maxLength: 100, title: 'Name' },
  value: { type: 'string', maxLength: 4000, title: 'Values' },
}
const extraFieldForm = (title: string, options: ReturnType<typeof create> | ReturnType<typeof store>) => {
  const form = defineForm(title, extraField, [{ label: '', columns: 1, fields: ['name*', 'value'] }], options)
  form.groups[0]!.fields[1]!.multiline = 4
  form.groups[0]!.fields[1]!.displayType = 'textarea'
  return form
}
const linesOf = (value: unknown) =>
  String(value ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
const withLines = (body: Record<string, unknown>) => ({
  ...body,
  ...('value' in body && { value: linesOf(body['value']) }),
})

const extraFields: Record<string, Load> = {
  'extrafield create': ({ id = '' }) =>
    Promise.resolve({
      ...lookups,
      definition: extraFieldForm(t('extra.new'), create()),
      values: {},
      submit: async (body) =>
        flat(await api.createExtraField({ debtorGuid: id, body: withLines({ value: '', ...body }) })),
    }),
  'extrafield edit': ({ id = '', name = '' }) =>
    changing(
      extraFieldForm(t('extra.edit'), store()),
      async () => {
        const { body, etag } = await api.withAnswer.getExtraField({ debtorGuid: id, name })
        return { body: { name: body.name, value: body.value.join('\n') }, etag }
      },
      (body, options) =>
        api.updateExtraField(
          { debtorGuid: id, name, body: withLines(body as Record<string, unknown>) },
          options,
        ),
    ),
}

export const localForms: Record<string, Load> = { ...debtors, ...extraFields, ...userForms }
