/**
 * The MCP server (Model Context Protocol) for assistants: tools that call the API of a running service with the
 * caller's rights. A tool returns the API's answer; an error is a result that says what would be right.
 */
import { once } from 'node:events'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import { ApiProblem, ServiceUnreachable, type Client } from '../../client/client.ts'
import { version } from '../../server/platform/version.ts'
import { openClient } from '../open-client.ts'
import { listTools, type Tool } from './mcp-tools.ts'

const instructions = `Fordra is a debt-collection service. Find debtors with searchItems or listDebtors, their cases with listCases,
and read explainCase before saying why an amount is what it is. calculatePaymentPlan previews a plan and stores nothing.
Amounts are in units of the currency. Records hold personal data: repeat no more of it than was asked for.`

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
export function createMcpServer(
  client: Client,
  { allowWrites = false }: { allowWrites?: boolean } = {},
): Server {
  const tools = new Map(listTools(allowWrites).map((tool) => [tool.name as string, tool]))
  const server = new Server({ name: 'fordra', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...tools.values()].map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.get(params.name)
    if (!tool) return failure(`There is no tool ${params.name}. Tools that change data need --allow-writes.`)
    return callTool(client, { tool, given: params.arguments ?? {}, signal })
  })
  return server
}

async function callTool(
  client: Client,
  { tool, given, signal }: { tool: Tool; given: Record<string, unknown>; signal: AbortSignal },
): Promise<CallToolResult> {
  const unknown = Object.keys(given).filter((name) => !(name in tool.inputSchema.properties))
  if (unknown.length > 0) {
    const known = Object.keys(tool.inputSchema.properties).join(', ')
    return failure(`${tool.name} takes no ${unknown.join(', ')}. It takes ${known}.`)
  }
  try {
    const { body } = await client.call(tool.name, tool.inputOf(given), { signal })
    return { content: [{ type: 'text', text: JSON.stringify(body) }] }
  } catch (error) {
    return failure(describe(error))
  }
}

const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function describe(error: unknown): string {
  if (error instanceof ApiProblem) {
    const members = Object.entries(error.errors ?? {}).map(([name, texts]) => `${name}: ${texts.join(' ')}`)
    return [`${error.status} ${error.kind}: ${error.detail}`, ...members].join('\n')
  }
  if (error instanceof ServiceUnreachable)
    return `The service does not answer at the moment. ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
