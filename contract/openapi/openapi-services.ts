import { Value } from 'typebox/value'
import type { AccessCode } from '../access/access.ts'
import type { JsonSchema, OpenApiDocument, OperationObject, PathItem } from './openapi-document.ts'
import { createExample } from './openapi-examples.ts'
import type { ServiceScope } from '../integration/services.ts'

/** A custom service of an installation. */
export interface DescribedService {
  code: string
  scope: ServiceScope
  description: string
  /** The access code that a caller needs in addition to `service.write`. */
  access: AccessCode
  /** JSON Schema of its body. */
  input: object
}

/** The invocation path of each scope. */
const paths: Record<ServiceScope, string> = {
  user: '/users/{userGuid}/services/{serviceDefinition}',
  debtor: '/debtors/{debtorGuid}/services/{serviceDefinition}',
  global: '/debtors/services/{serviceDefinition}',
}
const general = '#/components/schemas/ServiceInput'

/** Adds an operation for each custom service: the general one with its code in the path and its own body. Pure. */
export function withServices(
  document: OpenApiDocument,
  services: readonly DescribedService[],
): OpenApiDocument {
  const added: Record<string, PathItem> = {}
  for (const service of services) {
    const path = paths[service.scope]
    const invoke = document.paths[path]?.post
    if (invoke)
      added[path.replace('{serviceDefinition}', service.code)] = { post: serviceOperation(invoke, service) }
  }
  return { ...document, paths: { ...document.paths, ...added } }
}

function serviceOperation(invoke: OperationObject, service: DescribedService): OperationObject {
  const { code, scope, description, access, input } = service
  const { 'x-specification-number': _, ...operation } = structuredClone(invoke)
  const words = code.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const requires = ((input as JsonSchema).required as string[] | undefined)?.length ?? 0
  return {
    ...operation,
    operationId: `invoke${scope.charAt(0).toUpperCase()}${scope.slice(1)}Service${words.join('')}`,
    summary: `Invoke the service ${code}`,
    description: `${description}\n\nA service of this installation. Access: \`service.write\` and \`${access}\`.`,
    parameters: operation.parameters!.filter(
      (parameter) => '$ref' in parameter || parameter.name !== 'serviceDefinition',
    ),
    requestBody: {
      required: requires > 0,
      content: {
        'application/json': isSelfContained(input)
          ? { schema: input as JsonSchema, ...withExample(input) }
          : { schema: { $ref: general } },
      },
    },
  }
}

/** None where the author's patterns cannot be solved. */
function withExample(input: object): { example?: unknown } {
  const example = createExample(input)
  return Value.Check(input, example) ? { example } : {}
}

/** A schema with its own references cannot be embedded in another document. */
const isSelfContained = (input: object): boolean =>
  !/"\$(ref|id|anchor|dynamicRef)"/.test(JSON.stringify(input))
