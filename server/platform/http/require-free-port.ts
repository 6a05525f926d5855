import { once } from 'node:events'
import { createServer } from 'node:net'

type Reason = (at: { port: number; host: string }) => string

const reasons: Record<string, Reason> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is taken by another program, perhaps by a Fordra that runs already. Stop that one, or choose another port with PORT.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user. Choose one from 1024 on with PORT.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
}

function noAddress({ host }: { host: string }): string {
  return `HOST ${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`
}

/** Throws when the port cannot be used, with what to do. Checked before secrets that are shown once are created. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen({ port, host, exclusive: true }), 'listening')
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    throw reason ? new Error(reason({ port, host })) : error
  }
  await new Promise((closed) => probe.close(closed))
}
