/** Creates the file of a new custom service. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { serviceScopes, type ServiceScope } from '../../contract/integration/services.ts'
import { loadSettings } from '../settings.ts'

export interface NewServiceOptions {
  scope: string
  folder?: string
  json?: boolean
}

export function runNewService(name: string, { scope, folder, json }: NewServiceOptions): void {
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(name)) {
    throw new Error(
      `A service cannot be named ${name}. Use 1 to 50 small letters, digits and hyphens, beginning with a letter.`,
    )
  }
  if (!serviceScopes.includes(scope as ServiceScope)) {
    throw new Error(`There is no scope ${scope}. The scopes are ${serviceScopes.join(', ')}.`)
  }
  const target = folder ?? loadSettings().FORDRA_SERVICES ?? 'custom-services'
  const file = join(target, `${name}.ts`)
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name, or remove it.`)
  mkdirSync(target, { recursive: true })
  writeFileSync(file, renderTemplate(name, scope as ServiceScope))
  const address = `/api/v1${paths[scope as ServiceScope]}${name}`
  if (json) {
    process.stdout.write(`${JSON.stringify({ file, address })}\n`)
    return
  }
  process.stdout.write(
    [
      `Created ${relative('.', file)}. Write its handler, then start with FORDRA_SERVICES=${target}.`,
      `Call the service with POST ${address}`,
      '',
    ].join('\n'),
  )
}

const paths: Record<ServiceScope, string> = {
  user: '/users/{userGuid}/services/',
  debtor: '/debtors/{debtorGuid}/services/',
  global: '/debtors/services/',
}

const handlers: Record<ServiceScope, string> = {
  user: `const user = await api.call('getUser', { params: { userGuid: item!.guid } })
    log(\`The caller sent \${text ?? 'no text'}\`)
    return { email: user.email }`,
  debtor: `const debtor = await api.call('getDebtor', { params: { debtorGuid: item!.guid } })
    log(\`The caller sent \${text ?? 'no text'}\`)
    return { debtorReference: debtor.debtorReference }`,
  global: `const { systemDate } = await api.call('getSystemInformation')
    log(\`The caller sent \${text ?? 'no text'}\`)
    return { systemDate }`,
}
const arguments_: Record<ServiceScope, string> = {
  user: '{ api, item, log }',
  debtor: '{ api, item, log }',
  global: '{ api, log }',
}
const access: Record<ServiceScope, string> = {
  user: 'user.read',
  debtor: 'debtor.read',
  global: 'system.read',
}

const renderTemplate = (name: string, scope: ServiceScope) => `import { defineService } from 'fordra/service'

interface Input {
  text?: string
}

export default defineService<Input>({
  code: '${name}',
  scope: '${scope}',
  description: 'Say what the service does. Users read this in the list of services.',
  // The access code that a caller needs besides service.write.
  access: '${access[scope]}',
  // After this time the service is stopped, and nothing that it wrote is stored.
  timeoutMs: 10_000,
  // JSON Schema. Other input is refused before the handler runs.
  input: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 200 } },
    additionalProperties: false,
  },
  // All writes through \`api\` are one transaction, which is stored if the handler does not throw. With async=true a failed
  // run is repeated. \`context.id\` stays the same then: use it to make calls to other systems only once.
  handler: async ({ text }, ${arguments_[scope]}) => {
    ${handlers[scope]}
  },
})
`
