/** Programs that send the credentials of an API user with each request: OData readers and directories. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/http/caller.ts'
import { authenticate, takeAddressQuota } from '../serve/admit.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { parseBasic } from '../sessions/oauth2-form.ts'
import { findUserCaller } from '../sessions/sessions.ts'
import { authenticateClient, invalidClient } from './authenticate-client.ts'
import { findSecretOwner, noteUse } from './client-secrets.store.ts'
import { hashMadeSecret, looksMade } from './new-secret.ts'

/** Client id and secret by HTTP Basic, or else as for every operation. */
export async function authenticateProgram(service: ServerContext, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined || !/^Basic /i.test(authorization)) return authenticate(service, request)
  const credentials = parseBasic(authorization)
  if (!credentials) throw invalidClient()
  const { client } = await authenticateClient(service.sql, credentials, request.ip)
  return requireCaller(service, client.userId)
}

/** The same, or the secret alone as a bearer token: directories keep one token. Cookies are not taken. */
export async function authenticateDirectory(
  service: ServerContext,
  request: FastifyRequest,
): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) throw invalidClient()
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (secret === undefined || !looksMade(secret)) return authenticateProgram(service, request)
  const owner = await findSecretOwner(service.sql, hashMadeSecret(secret))
  if (!owner) {
    takeAddressQuota(service, request)
    throw invalidClient()
  }
  await noteUse(service.sql, owner.secretGuid)
  return requireCaller(service, owner.userId)
}

async function requireCaller(service: ServerContext, userId: string): Promise<Caller> {
  const caller = await findUserCaller(service.sql, userId, null)
  if (!caller) throw invalidClient()
  return caller
}
