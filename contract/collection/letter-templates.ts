/** Templates of letters that administrators write: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import {
  dateTime,
  guid,
  inputSchema,
  lines,
  nullable,
  reference,
  text,
  type Demands,
} from '../metadata/fields.ts'
import { languages, type Language } from '../platform/languages.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import { templateKinds, type TemplateKind } from './documents.ts'

/** The longest source of a template, in characters. */
export const templateLengthMax = 20_000

/** Words and amounts of one letter, as text. */
export const textVariables = [
  'title',
  'client',
  'debtor',
  'agency',
  'date',
  'due',
  'total',
  'cases',
  'reference',
  'account',
] as const
/** Parts of a letter that the service composes. */
export const partVariables = [
  'opening',
  'amounts',
  'plan',
  'costs',
  'payment',
  'notices',
  'ending',
  'closing',
] as const
export const templateVariables = [...textVariables, ...partVariables] as const
export type TemplateVariable = (typeof templateVariables)[number]

const line = (description: string) => Type.String({ description })
const kind = Type.Unsafe<TemplateKind>({ type: 'string', enum: [...templateKinds], title: 'Kind of letter' })
const languageCode = Type.Unsafe<Language>({ type: 'string', enum: [...languages], title: 'Language' })
const clientGuid = nullable<string>({
  type: ['string', 'null'],
  format: 'uuid',
  title: 'Client',
  description: 'For the letters of this client and of the clients below it. Null for all clients.',
})
const versionNumber = nullable<number>({
  type: ['integer', 'null'],
  description: 'The version that letters are written with. Null when they have the shipped text.',
})

const members = {
  letterTemplateGuid: guid('Letter template'),
  kind,
  languageCode,
  clientGuid,
  clientName: text(200, 'Client'),
  versionInForce: versionNumber,
  publishedAt: dateTime('Published at'),
  publishedBy: text(200, 'Published by'),
  hasDraft: Type.Boolean({ description: 'The draft says something else than the version in force.' }),
  draftAt: dateTime('Draft changed at'),
  draftBy: text(200, 'Draft changed by'),
}
export const LetterTemplateItem = Type.Object(members, { $id: 'LetterTemplateItem' })
export type LetterTemplateItem = Static<typeof LetterTemplateItem>
export const LetterTemplateList = Type.Object(
  { value: Type.Array(LetterTemplateItem) },
  { $id: 'LetterTemplateList' },
)

const version = {
  number: Type.Integer({ description: 'From 1, one more for each publication.' }),
  publishedAt: dateTime('Published at'),
  publishedBy: text(200, 'Published by'),
  note: text(200, 'What changed'),
}
const LetterTemplateVersionItem = Type.Object(version, { $id: 'LetterTemplateVersionItem' })
export const LetterTemplate = Type.Object(
  {
    ...members,
    source: line('The draft, in Typst markup. Letters use it once it is published.'),
    versions: Type.Array(LetterTemplateVersionItem, { description: 'The newest 200, the latest first.' }),
  },
  { $id: 'LetterTemplate' },
)
export type LetterTemplate = Static<typeof LetterTemplate>
export const LetterTemplateVersion = Type.Object(
  { ...version, source: line('In Typst markup. A published version never changes.') },
  { $id: 'LetterTemplateVersion' },
)
export type LetterTemplateVersion = Static<typeof LetterTemplateVersion>

const fields = {
  kind: text(20, 'Kind of letter', { lookup: 'letterkind' }),
  languageCode: text(2, 'Language', { lookup: 'language' }),
  clientGuid: reference('Client', 'client'),
  caseGuid: reference('Case', 'case'),
  source: lines(templateLengthMax, 'Text in Typst markup'),
  note: text(200, 'What changed'),
  number: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 2_147_483_647,
    title: 'An earlier version to return to',
    'x-field': {},
  }),
}
const demands = { required: ['kind', 'languageCode'] } satisfies Demands
export const NewLetterTemplate = inputSchema(fields, ['kind', 'languageCode', 'clientGuid', 'source'], {
  $id: 'NewLetterTemplate',
  'x-demands': demands,
})
export type NewLetterTemplate = Static<typeof NewLetterTemplate>
export const LetterTemplateChange = inputSchema(fields, ['source'], {
  $id: 'LetterTemplateChange',
  'x-demands': { required: ['source'] } satisfies Demands,
})
export const LetterTemplatePublication = inputSchema(fields, ['number', 'note'], {
  $id: 'LetterTemplatePublication',
})
export type LetterTemplatePublication = Static<typeof LetterTemplatePublication>
export const TemplatePreviewInput = inputSchema(
  fields,
  ['kind', 'languageCode', 'clientGuid', 'caseGuid', 'source'],
  {
    $id: 'TemplatePreviewInput',
    'x-demands': { required: ['kind', 'languageCode', 'source'] } satisfies Demands,
  },
)
export type TemplatePreviewInput = Static<typeof TemplatePreviewInput>

/** `typst`: a message of the typesetter, in English. `missing`: a part that the letter must have. */
export const templateFaultKinds = [
  'unknown',
  'keyword',
  'brackets',
  'sign',
  'nesting',
  'number',
  'typst',
  'missing',
] as const
export type TemplateFaultKind = (typeof templateFaultKinds)[number]
export const TemplateFault = Type.Object(
  {
    line: Type.Integer({ description: 'From 1. 0 for a fault of the whole template.' }),
    column: Type.Integer({ description: 'From 1. 0 for a fault of the whole template.' }),
    kind: Type.Unsafe<TemplateFaultKind>({ type: 'string', enum: [...templateFaultKinds] }),
    name: line('The name or sign that is wrong or missing. Empty for faults of the typesetter.'),
    nearest: nullable<string>({
      type: ['string', 'null'],
      description: 'The name that was probably meant.',
    }),
    message: line('What is wrong and what to write instead.'),
  },
  { $id: 'TemplateFault' },
)
export type TemplateFault = Static<typeof TemplateFault>

export const TemplatePreview = Type.Object(
  {
    image: nullable<string>({
      type: ['string', 'null'],
      description: 'The pages as one SVG image. Null when the template has faults that prevent it.',
    }),
    title: line('The title of the letter.'),
    text: line('What it says, without layout.'),
    faults: Type.Array(TemplateFault),
  },
  { $id: 'TemplatePreview' },
)
export type TemplatePreview = Static<typeof TemplatePreview>

export const TemplateVariableItem = Type.Object(
  {
    name: Type.Unsafe<TemplateVariable>({ type: 'string', enum: [...templateVariables] }),
    meaning: line('What it stands for, in the caller’s language.'),
    example: line('Its value in the sample letter. Empty for parts such as the table of amounts.'),
    isRequired: Type.Boolean({ description: 'A template without it cannot be published.' }),
  },
  { $id: 'TemplateVariable' },
)
export const TemplateHelp = Type.Object(
  {
    variables: Type.Array(TemplateVariableItem),
    commands: Type.Array(Type.String(), { description: 'The commands of Typst that can be used.' }),
    source: line('The shipped text of this letter as a template, to begin with.'),
  },
  { $id: 'TemplateHelp' },
)
export type TemplateHelp = Static<typeof TemplateHelp>

const administer = { area: 'System', access: ['system.admin'], unrestricted: true } as const
const ofTemplate = Type.Object({ letterTemplateGuid: guid('Letter template') })
const exampleSource =
  '= #title\n\n#client has asked us to collect the following claim. Please pay it by *#due*.\n\n#amounts\n#costs\n#payment\n\n#notices\n\n#closing'

export const listLetterTemplates = operation({
  id: 'listLetterTemplates',
  name: 'listLetterTemplates',
  method: 'GET',
  path: '/lettertemplates',
  ...administer,
  summary: 'List templates of letters',
  description:
    'By kind, language and client. A letter is written with the published template of its kind and language: that of the client of its cases or of the nearest client above, else that for all clients, else the shipped text. A letter about cases of several clients has that for all clients.',
  status: 200,
  response: LetterTemplateList,
})
export const getLetterTemplate = operation({
  id: 'getLetterTemplate',
  name: 'getLetterTemplate',
  method: 'GET',
  path: '/lettertemplates/:letterTemplateGuid',
  ...administer,
  summary: 'Get a template of a letter',
  description: 'With its draft and the history of its versions.',
  params: ofTemplate,
  status: 200,
  response: LetterTemplate,
  versioned: true,
})
export const getLetterTemplateVersion = operation({
  id: 'getLetterTemplateVersion',
  name: 'getLetterTemplateVersion',
  method: 'GET',
  path: '/lettertemplates/:letterTemplateGuid/version',
  ...administer,
  summary: 'Get a published version of a template',
  params: ofTemplate,
  query: Type.Object(
    { number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Of the version.' }) },
    { additionalProperties: false },
  ),
  status: 200,
  response: LetterTemplateVersion,
  example: { query: { number: 2 } },
})
export const getTemplateHelp = operation({
  id: 'getTemplateHelp',
  name: 'getTemplateHelp',
  method: 'GET',
  path: '/lettertemplatehelp',
  ...administer,
  summary: 'Ask what a template can contain',
  description:
    'The variables of a kind of letter with their meaning, the commands of Typst that can be used, and the shipped text to begin with.',
  query: Type.Object({ kind, languageCode }, { additionalProperties: false }),
  status: 200,
  response: TemplateHelp,
  example: { query: { kind: 'demand', languageCode: 'en' } },
})
export const previewLetterTemplate = operation({
  id: 'previewLetterTemplate',
  name: 'previewLetterTemplate',
  method: 'POST',
  path: '/lettertemplates/preview',
  ...administer,
  summary: 'Preview a template with a sample case or a real one',
  description:
    'Typesets a letter about an invented case, and lists each fault with its line. Nothing is stored. With a client, the letter names it. With a case (`caseGuid`), the letter is that about the case as it stands, to its main debtor; the caller needs `case.read` and `debtor.read`.',
  body: TemplatePreviewInput,
  problems: ['not-found', 'unprocessable'],
  status: 200,
  response: TemplatePreview,
  example: { body: { kind: 'demand', languageCode: 'en', source: exampleSource } },
})
export const createLetterTemplate = operation({
  id: 'createLetterTemplate',
  name: 'createLetterTemplate',
  method: 'POST',
  path: '/lettertemplates',
  ...administer,
  summary: 'Create a template of a letter',
  description:
    'Without `source` its draft is the shipped text. Letters do not use it until it is published. There is one template for each kind, language and client.',
  body: NewLetterTemplate,
  status: 201,
  response: LetterTemplate,
  problems: ['conflict'],
  example: { body: { kind: 'demand', languageCode: 'en', source: exampleSource } },
})
export const updateLetterTemplate = operation({
  id: 'updateLetterTemplate',
  name: 'updateLetterTemplate',
  method: 'PATCH',
  path: '/lettertemplates/:letterTemplateGuid',
  ...administer,
  summary: 'Change the draft of a template',
  description:
    'Refused with 400 for an unknown variable, with the name that was probably meant, and for other faults of the markup: `faults` has each with its line. Letters go on with the version in force.',
  params: ofTemplate,
  body: LetterTemplateChange,
  status: 200,
  response: LetterTemplate,
  problems: ['precondition-failed'],
  versioned: true,
  example: { body: { source: exampleSource } },
})
export const publishLetterTemplate = operation({
  id: 'publishLetterTemplate',
  name: 'publishLetterTemplate',
  method: 'POST',
  path: '/lettertemplates/:letterTemplateGuid/publish',
  ...administer,
  summary: 'Publish a template',
  description:
    'The draft becomes the next version, with which letters are written from now on. With `number` the text of that earlier version does, and replaces the draft. Refused with 422 when a part is missing that such a letter must have, and with 409 when the text is that of the version in force.',
  params: ofTemplate,
  body: LetterTemplatePublication,
  status: 200,
  response: LetterTemplate,
  problems: ['conflict', 'unprocessable'],
  example: { body: { note: 'The new opening hours' } },
})
export const withdrawLetterTemplate = operation({
  id: 'withdrawLetterTemplate',
  name: 'withdrawLetterTemplate',
  method: 'POST',
  path: '/lettertemplates/:letterTemplateGuid/withdraw',
  ...administer,
  summary: 'Take a template out of use',
  description:
    'Letters are written without it from now on. Its draft and its versions stay. Refused with 409 when none of its versions is in force.',
  params: ofTemplate,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
export const deleteLetterTemplate = operation({
  id: 'deleteLetterTemplate',
  name: 'deleteLetterTemplate',
  method: 'DELETE',
  path: '/lettertemplates/:letterTemplateGuid',
  ...administer,
  summary: 'Delete a template that was never published',
  description:
    'Refused with 409 once it was published, because letters were written with it: take it out of use instead.',
  params: ofTemplate,
  status: 200,
  response: Problem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
})
