/** Answers one message of an assistant. The protocol's package is loaded with this module, at the first message. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyReply } from 'fastify'
import { assistantPath, publicOrigin } from '../../access/assistants/audience.ts'
import { mayCall } from '../../access/serve/admit.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { callOperation, describeFailure, type Exchange } from './call-operation.ts'
import { createProtocolServer } from './protocol-server.ts'
import { listTools, type Tool } from './tools.ts'

export async function answerMessage(service: ServerContext, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  // Versions from 2025-06-18 on have no batches: each call is a request, and counts in the caller's quota.
  if (Array.isArray(request.body))
    throw new ApiError('invalid', 'Send one message per request. Batches are not supported.')
  const server = createProtocolServer({
    tools: listToolsFor(service, request.caller!),
    writesNeed: 'Your rights, or the setting FORDRA_ASSISTANTS, may not include it.',
    call: (tool, input) => callOperation(service, exchange, tool.operation, input),
    describe: (error) => describeFailure(error, exchange),
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(toWebRequest(service, exchange), {
      parsedBody: request.body,
    })
    const body = await response.text()
    const type = response.headers.get('content-type')
    return reply
      .code(response.status)
      .headers(type === null ? {} : { 'content-type': type })
      .send(body === '' ? undefined : body)
  } finally {
    await server.close()
  }
}

/** The tools of operations that the caller may call. Who has only codes that read gets only tools that read. */
function listToolsFor({ settings }: ServerContext, caller: Caller): Tool[] {
  const mayWrite = [...caller.accessCodes].some((code) => !code.endsWith('.read'))
  const tools = listTools(settings.FORDRA_ASSISTANTS === 'write' && mayWrite)
  return tools.filter(({ operation }) => mayCall(operation, caller))
}

const passed = ['accept', 'content-type', 'mcp-protocol-version'] as const

/** The protocol's own headers. The others, such as the token, concern the service alone. */
function toWebRequest({ settings }: ServerContext, { request }: Exchange): Request {
  const headers = passed.flatMap((name): [string, string][] => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return new Request(publicOrigin(settings, request) + assistantPath, { method: 'POST', headers })
}
