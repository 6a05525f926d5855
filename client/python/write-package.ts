/** The files of the Python package that are made from the document. Those beside them are written by hand. */
import type { JsonSchema, OpenApiDocument, OperationObject } from '../../contract/openapi/openapi-document.ts'
import { problems } from '../../contract/platform/problem.ts'
import { declareMethod } from './python-operations.ts'
import { declareType, literal } from './python-types.ts'

const typing = 'from typing import Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union'
const notice = 'Made from the API document; changes are lost.'

/** Each file's text by its name. Pure. */
export function makePythonFiles(document: OpenApiDocument): Record<string, string> {
  return {
    'types.py': writeTypes(document),
    'client.py': writeClient(document),
    'problems.py': writeProblems(),
    'py.typed': '',
  }
}

const writeTypes = ({ components }: OpenApiDocument): string =>
  [
    `"""The bodies and answers of the API. ${notice}"""`,
    '',
    typing,
    '',
    ...orderTypes(components.schemas).flatMap(([name, schema]) => declareType(name, schema)),
  ].join('\n')

const hasMembers = ({ properties }: JsonSchema) => Object.keys((properties ?? {}) as object).length > 0

/** An alias is evaluated where it stands, so the types that it names come first; classes name theirs as texts. */
function orderTypes(schemas: Record<string, JsonSchema>): [string, JsonSchema][] {
  const all = Object.entries(schemas)
  return [
    ...all.filter(([, schema]) => hasMembers(schema)),
    ...all.filter(([, schema]) => !hasMembers(schema)),
  ]
}

function writeClient({ paths, components, info }: OpenApiDocument): string {
  const { schemas } = components
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).flatMap(([method, operation]) =>
      declareMethod({ method, path, operation, schemas }),
    ),
  )
  return [
    `"""Every operation of the API as a method. ${notice}"""`,
    '',
    'from __future__ import annotations',
    '',
    'import functools',
    typing,
    '',
    'from .transport import Transport',
    'from .types import *',
    '',
    `VERSION = ${literal(info.version)}`,
    '',
    '',
    'class Client(Transport):',
    '    """Every operation of the service by its name. Arguments are given by name."""',
    '',
    ...methods,
  ].join('\n')
}

const className = (kind: string) =>
  kind
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** An exception for each kind of problem. */
function writeProblems(): string {
  const kinds = Object.entries(problems)
  return [
    `"""The problems of the API. ${notice}"""`,
    '',
    'from typing import Dict, Type',
    '',
    'from .errors import ApiProblem',
    '',
    ...kinds.flatMap(([kind, [status, title, help]]) => [
      '',
      `class ${className(kind)}(ApiProblem):`,
      `    """${title} (${status}). ${help.replaceAll('\\', '\\\\')}"""`,
      '',
      `    kind = ${literal(kind)}`,
      '',
    ]),
    'problem_kinds: Dict[str, Type[ApiProblem]] = {',
    ...kinds.map(([kind]) => `    ${literal(kind)}: ${className(kind)},`),
    '}',
    '',
  ].join('\n')
}
