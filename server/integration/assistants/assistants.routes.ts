/**
 * `/mcp`: the tools for assistants by the Model Context Protocol over Streamable HTTP. Each request stands alone: no node
 * keeps anything of an assistant between two of them.
 */
import { assistantPath } from '../../access/assistants/audience.ts'
import { authenticateAssistant, requireNamedOrigin } from '../../access/assistants/authenticate-assistant.ts'
import { admit } from '../../access/serve/admit.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'

const bodyBytesMax = 262_144

export function serveAssistants(service: ServerContext): void {
  if (service.settings.FORDRA_ASSISTANTS === 'off') return
  service.app.post(assistantPath, {
    bodyLimit: bodyBytesMax,
    onRequest: async (request, reply) => {
      requireNamedOrigin(service, request)
      await admit(service, { access: 'session' }, request, reply, authenticateAssistant)
    },
    handler: async (request, reply) => {
      const { answerMessage } = await import('./answer-message.ts')
      return answerMessage(service, { request, reply })
    },
  })
}
