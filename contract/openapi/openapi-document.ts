/** The parts of an OpenAPI 3.1 document that we write. */
export interface JsonSchema {
  [keyword: string]: unknown
}
export interface Reference {
  $ref: string
}
export interface NamedExample {
  summary: string
  value: unknown
}
export interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, NamedExample>
}
export interface HeaderObject {
  description: string
  schema: JsonSchema
}
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required: boolean
  schema: JsonSchema
  example?: unknown
}
export interface ResponseObject {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, MediaType>
}
/** The callers: everyone, every signed-in user, or users with one of the codes or roles. */
export interface AccessObject {
  kind: 'public' | 'session' | 'codes'
  codes: readonly string[]
  roles: readonly number[]
}
export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: (ParameterObject | Reference)[]
  requestBody?: { description?: string; required: boolean; content: Record<string, MediaType> }
  responses: Record<string, ResponseObject | Reference>
  'x-access'?: AccessObject
  'x-specification-number'?: string
}
export interface PathItem {
  get?: OperationObject
  post?: OperationObject
  put?: OperationObject
  patch?: OperationObject
  delete?: OperationObject
}
export interface Components {
  schemas: Record<string, JsonSchema>
  parameters: Record<string, ParameterObject>
  headers: Record<string, HeaderObject>
  responses: Record<string, ResponseObject>
  securitySchemes: Record<string, JsonSchema>
}
export interface OpenApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: Components
}
