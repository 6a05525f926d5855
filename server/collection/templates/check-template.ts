/** Checks the names and signs of a template. Pure; the typesetter checks the rest. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type { TemplateFault, TemplateFaultKind } from '../../../contract/collection/letter-templates.ts'
import { findNearest } from '../../../core/text/nearest.ts'
import { listRequired, listVariables, templateCommands, templateValues } from './template-names.ts'
import { scanTemplate, type ScannedPiece } from './template-scanner.ts'

const faultsMax = 20
const commands: readonly string[] = templateCommands

/** The first faults, in the order of the text. */
export function checkTemplate(source: string, kind: TemplateKind): TemplateFault[] {
  const variables: readonly string[] = listVariables(kind)
  return scanTemplate(source)
    .flatMap((piece) => findFault(piece, variables) ?? [])
    .slice(0, faultsMax)
    .map(({ at, ...fault }) => ({ ...toPlace(source, at), ...fault }))
}

/** The parts that such a letter must have and the template has not. */
export function findMissing(source: string, kind: TemplateKind): TemplateFault[] {
  const used = new Set(scanTemplate(source).flatMap((one) => (one.piece === 'name' ? [one.name] : [])))
  return listRequired(kind)
    .filter((name) => !used.has(name))
    .map((name) => ({
      line: 0,
      column: 0,
      kind: 'missing',
      name,
      nearest: null,
      message: `#${name} is missing: a letter of this kind must have it.`,
    }))
}

type Found = Omit<TemplateFault, 'line' | 'column'> & { at: number }

function findFault(piece: ScannedPiece, variables: readonly string[]): Found | undefined {
  if (piece.piece === 'text') return undefined
  const { at, name } = piece
  const fault = (kind: TemplateFaultKind, message: string, nearest: string | null = null): Found => ({
    at,
    kind,
    name,
    nearest,
    message,
  })
  if (piece.piece === 'fault') return fault(piece.kind, describe(piece.kind, name))
  const isCommand = commands.includes(name)
  const isVariable = variables.includes(name)
  if (isVariable && piece.takes)
    return fault('brackets', `#${name} takes no brackets. Put a space between #${name} and the bracket.`)
  if (isVariable || (piece.isInCode && templateValues.includes(name))) return undefined
  if (isCommand && (piece.takes || piece.isInCode)) return undefined
  if (isCommand) return fault('brackets', `#${name} needs brackets, such as #${name}().`)
  const nearest = findNearest(name, [...variables, ...commands, ...(piece.isInCode ? templateValues : [])])
  const hint = nearest === null ? `Use one of ${variables.join(', ')}.` : `Did you mean #${nearest}?`
  return fault('unknown', `#${name} is no variable of this letter. ${hint}`, nearest)
}

const describe = (kind: 'keyword' | 'sign' | 'nesting' | 'number', name: string): string =>
  ({
    keyword: `#${name} cannot be used in a letter. Use variables and commands that lay out text.`,
    sign:
      name === '.'
        ? 'A point and a word behind a name ask for a part of it, which has none. Put a space behind the point, or end the name with a semicolon.'
        : `The sign ${name} has a meaning of its own in Typst. Write \\${name} to print it.`,
    nesting: 'Brackets are nested too deeply. Use at most 8 within each other.',
    number: `${name} is too large. Use numbers up to 999.`,
  })[kind]

function toPlace(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
