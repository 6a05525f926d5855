/**
 * `fordra mcp`: the tools for assistants on standard input and output. They call the API of a running service with the
 * caller's rights.
 */
import { once } from 'node:events'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ApiProblem, ServiceUnreachable, type Client } from '../../client/client.ts'
import { describeRefusal } from '../../server/integration/assistants/describe-refusal.ts'
import { createProtocolServer } from '../../server/integration/assistants/protocol-server.ts'
import { listTools } from '../../server/integration/assistants/tools.ts'
import { openClient } from '../open-client.ts'

export async function runMcp(options: { allowWrites?: boolean }): Promise<void> {
  const client = openClient(process.env)
  const server = createMcpServer(client, options)
  // When standard input ends, the client is gone; there is no other sign.
  const gone = once(process.stdin, 'end')
  await server.connect(new StdioServerTransport())
  await gone
  await server.close()
}

/** Standard output belongs to the protocol; nothing else may write to it. */
export const createMcpServer = (
  client: Client,
  { allowWrites = false }: { allowWrites?: boolean } = {},
): Server =>
  createProtocolServer({
    tools: listTools(allowWrites),
    writesNeed: 'Tools that change data need --allow-writes.',
    call: async (tool, input, signal) => (await client.call(tool.name, input, { signal })).body,
    describe,
  })

function describe(error: unknown): string {
  if (error instanceof ApiProblem)
    return describeRefusal(error.status, error.kind, error.detail, error.errors)
  if (error instanceof ServiceUnreachable)
    return `The service does not answer at the moment. ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
