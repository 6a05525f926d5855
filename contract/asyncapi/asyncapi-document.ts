/** The parts of an AsyncAPI 3 document that we write. */
import type { JsonSchema } from '../openapi/openapi-document.ts'

export interface Reference {
  $ref: string
}
export interface Server {
  host: string
  protocol: string
  pathname?: string
  description: string
  security: Reference[]
  variables?: Record<string, { default: string; description: string }>
}
export interface Channel {
  /** Null where the receiver chooses it. */
  address: string | null
  title: string
  description: string
  servers: Reference[]
  messages: Record<string, Reference>
  bindings?: Record<string, JsonSchema>
}
export interface SendOperation {
  action: 'send'
  channel: Reference
  title: string
  summary: string
  description: string
  bindings: Record<string, JsonSchema>
}
export interface Message {
  name: string
  title: string
  summary: string
  contentType: string
  tags: { name: string }[]
  correlationId: Reference
  headers?: JsonSchema
  bindings?: Record<string, JsonSchema>
  payload: JsonSchema
  examples: { name: string; summary: string; headers?: Record<string, string>; payload: object }[]
}
export interface AsyncApiDocument {
  asyncapi: string
  id: string
  info: {
    title: string
    version: string
    description: string
    license: { name: string; url: string }
    tags: { name: string }[]
  }
  defaultContentType: string
  servers: Record<string, Server>
  channels: Record<string, Channel>
  operations: Record<string, SendOperation>
  components: {
    schemas: Record<string, JsonSchema>
    messages: Record<string, Message>
    correlationIds: Record<string, { description: string; location: string }>
    securitySchemes: Record<string, JsonSchema>
  }
}
