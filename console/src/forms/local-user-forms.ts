import { userFields } from '../../../contract/users.ts'
import { api } from '../api/client.ts'
import { defineForm, type GroupPlan } from './dictionary-form.ts'
import { changing, create, flat, lookups, store, t, type Load } from './record-form.ts'

const userDictionary = {
  ...userFields,
  password: { type: 'string', maxLength: 128, title: 'Password' },
  accessGroups: { type: 'string', title: 'Access groups' },
}
const userPlan = (isNew: boolean): GroupPlan[] => [
  {
    label: t('group.identity'),
    fields: [
      'fullName*',
      'email*',
      ...(isNew ? ['userCode', 'partyReferenceCode*'] : []),
      'userRole*',
      'accessGroups',
      isNew ? 'password*' : 'password',
      ...(isNew ? ['mfaType'] : ['disabled']),
    ],
  },
  {
    label: t('group.contact'),
    fields: [
      'phoneNumber',
      'cellularPhoneNumber',
      'department',
      'employmentNumber',
      'languageCode',
      'countryFormat',
    ],
  },
]
const withGroups = (body: object) => ({
  ...body,
  ...('accessGroups' in body && {
    accessGroups: String(body.accessGroups ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  }),
})

export const userForms: Record<string, Load> = {
  'user create': async () => ({
    ...lookups,
    definition: defineForm(t('user.new'), userDictionary, userPlan(true), create()),
    values: { partyReferenceCode: (await api.getCurrentUser()).partyReferenceCode ?? '' },
    submit: async (body) => {
      const userRole = typeof body['userRole'] === 'number' ? body['userRole'] : null
      return flat(await api.createUser({ body: { ...withGroups(body), userRole } }))
    },
  }),
  'user edit': ({ id = '' }) =>
    changing(
      defineForm(t('user.edit'), userDictionary, userPlan(false), store()),
      async () => {
        const { body, etag } = await api.withAnswer.getUser({ userGuid: id })
        return { body: { ...body, accessGroups: body.accessGroups.join(', ') }, etag }
      },
      (body, options) => {
        const password = 'password' in body && body.password ? String(body.password) : null
        return api.updateUser({ userGuid: id, body: { ...withGroups(body), password } }, options)
      },
    ),
}
