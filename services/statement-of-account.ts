/** Writes a debtor's statement of account: a letter as PDF with the open cases, as of the business date. It is kept as a document. */
import { defineService } from 'fordra/service'

interface Input {
  /** en, sv, no, da, fi or de; that of the debtor unless given. */
  language?: string
}

export default defineService<Input>({
  code: 'statement-of-account',
  scope: 'debtor',
  description: 'Writes a statement of account as PDF, in the language of the debtor.',
  access: 'case.write',
  input: {
    type: 'object',
    properties: { language: { type: 'string', enum: ['en', 'sv', 'no', 'da', 'fi', 'de'] } },
    additionalProperties: false,
  },
  handler: async ({ language }, { api, item }) => {
    const { documentGuid, title, languageCode } = await api.call('createStatement', {
      params: { debtorGuid: item!.guid },
      body: { ...(language !== undefined && { language }) },
    })
    return { documentGuid, title, languageCode }
  },
})
