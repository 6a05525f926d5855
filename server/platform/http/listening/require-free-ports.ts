import { once } from 'node:events'
import { createServer } from 'node:net'

import type { Settings } from '../../config.ts'

interface At {
  port: number
  host: string
  setting: 'PORT' | 'FORDRA_HEALTH_PORT'
}

const reasons: Record<string, (at: At) => string> = {
  EADDRINUSE: ({ port, host, setting }) =>
    `Port ${port} of ${host} is taken by another program, perhaps by a Fordra that runs already. Stop that one, or choose another port with ${setting}.`,
  EACCES: ({ port, setting }) =>
    `Port ${port} may not be opened by this user. Choose one from 1024 on with ${setting}.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
}

function noAddress({ host }: At): string {
  return `HOST ${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`
}

/** Throws when a port cannot be used, with what to do. Checked before secrets that are shown once are created. */
export async function requireFreePorts({
  HOST: host,
  PORT: port,
  FORDRA_HEALTH_PORT: healthPort,
}: Pick<Settings, 'HOST' | 'PORT' | 'FORDRA_HEALTH_PORT'>): Promise<void> {
  await requireFreePort({ port, host, setting: 'PORT' })
  if (healthPort === undefined) return
  if (healthPort === port) throw new Error('FORDRA_HEALTH_PORT is the same as PORT. Choose another one.')
  await requireFreePort({ port: healthPort, host, setting: 'FORDRA_HEALTH_PORT' })
}

async function requireFreePort(at: At): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen({ port: at.port, host: at.host, exclusive: true }), 'listening')
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    throw reason ? new Error(reason(at)) : error
  }
  await new Promise((closed) => probe.close(closed))
}
