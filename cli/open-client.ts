/** The client of commands that call a running service. */
import { createClient, type Client } from '../client/client.ts'

/** Throws an error that names the missing variable. */
export function openClient(environment: Record<string, string | undefined>): Client {
  const {
    FORDRA_API_URL: baseUrl,
    FORDRA_API_TOKEN: token,
    FORDRA_CLIENT_ID: clientId,
    FORDRA_CLIENT_SECRET: clientSecret,
  } = environment
  if (!baseUrl || !/^https?:\/\/[^/]+\/?$/.test(baseUrl)) {
    throw new Error('FORDRA_API_URL must be where the service answers, such as https://collections.example')
  }
  if (clientId && clientSecret) return createClient({ baseUrl, credentials: { clientId, clientSecret } })
  if (!token) {
    throw new Error(
      'Set FORDRA_API_TOKEN to an access token, or FORDRA_CLIENT_ID and FORDRA_CLIENT_SECRET of an API user.',
    )
  }
  // It cannot be renewed: once it has expired, the service refuses it.
  return createClient({ baseUrl, tokens: { accessToken: token, refreshToken: '', expiresAt: Infinity } })
}
