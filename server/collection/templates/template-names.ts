/** The names that the template of a letter can use. The frame around it is not the administrators': see `letter-parts.typ`. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import { templateVariables, type TemplateVariable } from '../../../contract/collection/letter-templates.ts'

/** Commands of Typst that lay out text. None reads a file, repeats anything or defines a name. */
export const templateCommands = [
  'align',
  'block',
  'box',
  'emph',
  'enum',
  'grid',
  'h',
  'heading',
  'line',
  'linebreak',
  'link',
  'list',
  'luma',
  'pad',
  'pagebreak',
  'par',
  'parbreak',
  'rgb',
  'smallcaps',
  'strong',
  'sub',
  'super',
  'table',
  'text',
  'underline',
  'v',
] as const

/** Values that the commands take. */
export const templateValues: readonly string[] = (
  'auto none true false left center right top horizon bottom start end ' +
  'black gray silver white navy blue aqua teal purple maroon red orange yellow olive green lime'
).split(' ')

/** Words of the language that would define names, repeat, or read files. */
export const templateKeywords: ReadonlySet<string> = new Set(
  'let set show import include if else for while context return break continue not and or in as'.split(' '),
)

/** The schedule is only part of letters about a plan. */
export const listVariables = (kind: TemplateKind): readonly TemplateVariable[] =>
  kind === 'plan' ? templateVariables : templateVariables.filter((name) => name !== 'plan')

const always: readonly TemplateVariable[] = ['amounts', 'costs', 'payment', 'notices']

/** What a letter must say whatever its words: the amounts by component, the costs by kind, how to pay, and what the service adds. */
export const listRequired = (kind: TemplateKind): readonly TemplateVariable[] =>
  kind === 'plan' ? [...always, 'plan'] : always
