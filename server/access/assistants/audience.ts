/** Audiences of access tokens (RFC 8707): the API, or the address for assistants. A token opens one of them only. */
import type { Settings } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/errors.ts'

export type Audience = 'api' | 'assistants'

export const assistantPath = '/mcp'

/** How the request reached the service. */
export interface Reached {
  protocol: string
  host: string
}

/** The origin of the service, as its clients reach it. */
export const publicOrigin = (
  { FORDRA_PUBLIC_URL }: Pick<Settings, 'FORDRA_PUBLIC_URL'>,
  { protocol, host }: Reached,
): string => FORDRA_PUBLIC_URL ?? `${protocol}://${host}`

/** The audience that the parameter `resource` of a token request names. Throws `invalid_target` for another. */
export function readAudience(settings: Settings, reached: Reached, resource: string | undefined): Audience {
  if (resource === undefined) return 'api'
  const origin = publicOrigin(settings, reached)
  const assistants = settings.FORDRA_ASSISTANTS === 'off' ? [] : [`${origin}${assistantPath}`]
  if (isNamed(assistants, resource)) return 'assistants'
  if (isNamed([`${origin}/api/v1`, origin], resource)) return 'api'
  const message = `must be ${[...assistants, `${origin}/api/v1`].join(' or ')}.`
  throw new ApiError('invalid', `resource ${message}`, {
    errors: { resource: [message] },
    members: { error: 'invalid_target' },
  })
}

/** Compared as URLs, without a slash at the end. */
const isNamed = (addresses: readonly string[], resource: string): boolean =>
  URL.canParse(resource) &&
  addresses.some((one) => withoutSlash(new URL(one).href) === withoutSlash(new URL(resource).href))
const withoutSlash = (text: string) => text.replace(/\/$/, '')
