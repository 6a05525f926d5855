/** A real OpenID Connect provider on a port of its own, and a browser that signs in at it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration, type InteractionResults } from 'oidc-provider'

/** Who may sign in at the provider, by account: what it says of them. */
export type Accounts = Record<string, { email?: string; email_verified?: boolean; amr?: string[] }>

export interface TestProvider {
  issuer: string
  close(): Promise<void>
}

export const testClient = { id: 'fordra', secret: 'a secret of the test' }

export async function startProvider(accounts: Accounts, redirectUri: string): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = withoutWarnings(
    () =>
      new WitnessProvider(issuer, accounts, {
        clients: [
          { client_id: testClient.id, client_secret: testClient.secret, redirect_uris: [redirectUri] },
        ],
        claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
        findAccount: (_context, accountId) => ({
          accountId,
          claims: () => Promise.resolve({ sub: accountId, ...accounts[accountId] }),
        }),
        cookies: { keys: ['a key of the test'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      }),
  )
  server.on('request', provider.callback())
  return { issuer, close: () => closeServer(server) }
}

/** Says by which factors an account signed in, which the provider's own sign-in page does not. */
class WitnessProvider extends Provider {
  readonly #accounts: Accounts

  constructor(issuer: string, accounts: Accounts, configuration: Configuration) {
    super(issuer, configuration)
    this.#accounts = accounts
  }

  override async interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: InteractionResults,
    options?: { mergeWithLastSubmission?: boolean },
  ): Promise<undefined> {
    const amr = this.#accounts[result.login?.accountId ?? '']?.amr
    const login = result.login && { ...result.login, ...(amr && { amr }) }
    await super.interactionFinished(request, response, { ...result, ...(login && { login }) }, options)
    return undefined
  }
}

/** It warns of keys and interactions that are for development only, which is what they are here. */
function withoutWarnings<T>(make: () => T): T {
  const { warn, info } = console
  console.warn = console.info = () => {}
  try {
    return make()
  } finally {
    Object.assign(console, { warn, info })
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/**
 * Goes from the authorization address through the provider's own pages until it sends the browser away from itself;
 * returns where to. `refuse` presses the link that cancels.
 */
export async function passProvider(
  address: string,
  account: string,
  { refuse = false }: { refuse?: boolean } = {},
): Promise<URL> {
  const { origin } = new URL(address)
  const jar = new Map<string, string>()
  let request: { url: URL; form?: URLSearchParams } = { url: new URL(address) }
  for (let step = 0; step < 20; step++) {
    const { url, form } = request
    if (url.origin !== origin) return url
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      jar.set(name!, value!)
    }
    request = await buildNextRequest(answer, url, { account, refuse })
  }
  throw new Error('The provider never sent the browser back.')
}

async function buildNextRequest(
  answer: Response,
  url: URL,
  { account, refuse }: { account: string; refuse: boolean },
) {
  const location = answer.headers.get('location')
  if (location !== null) return { url: new URL(location, url) }
  const page = await answer.text()
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
  if (action === undefined || prompt === undefined)
    throw new Error(`The provider answered ${answer.status} without a form.`)
  if (refuse) return { url: new URL(`${action}/abort`, url) }
  return { url: new URL(action, url), form: new URLSearchParams({ prompt, login: account, password: 'any' }) }
}
