/** Finds the services in their folder at startup. A request can never add a service. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import { serviceScopes, type ServiceScope } from '../../../contract/integration/services.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { compileForeignCheck, type Check } from '../../platform/http/validation.ts'
import type { Outbound } from '../../platform/outbound/post.ts'
import { startThread } from './threads.ts'

export interface LoadedService {
  code: string
  scope: ServiceScope
  description: string
  access: AccessCode
  timeoutMs: number
  /** JSON Schema. */
  input: object
  checkInput: Check
  /** A module that runs in its own thread, or an address to call. */
  how: { file: string; memoryMb: number } | { url: string; secret: string }
}

/** The values of the lookup `servicedefinition`, in the order of codes. */
export const listServiceDefinitions = (
  services: readonly LoadedService[],
): { code: string; scope: ServiceScope; description: string }[] =>
  services
    .map(({ code, scope, description }) => ({ code, scope, description }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))

export const shippedServices = resolve(import.meta.dirname, '../../../services')

/** Startup allows more time than a call: the machine may be busy with everything that starts. */
const startWithinMs = 60_000

/** `withinMs` limits the load time of each service. Throws an Error that names the file and what is wrong. */
export async function loadServices(
  folder: string,
  outbound: Outbound,
  withinMs = startWithinMs,
): Promise<LoadedService[]> {
  if (!existsSync(folder))
    throw new Error(`The services folder ${folder} does not exist. Correct FORDRA_SERVICES.`)
  const files = (await readdir(folder)).filter((file) => isModule(file) || file.endsWith('.json')).toSorted()
  const services = await Promise.all(
    files
      .filter((file) => file !== 'package.json' && file !== 'tsconfig.json')
      .map(async (file) => {
        const path = join(folder, file)
        try {
          return await (isModule(file) ? loadModule(path, withinMs) : loadAddress(path, outbound))
        } catch (error) {
          throw new Error(`The service ${path} ${(error as Error).message}`, { cause: error })
        }
      }),
  )
  const codes = services.map(({ code }) => code)
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  if (twice !== undefined) throw new Error(`Two services in ${folder} have the code ${twice}. Rename one.`)
  return services
}

const isModule = (file: string) => /^(?!.*\.(test|d)\.)[^.].*\.m?[jt]s$/.test(file)

async function loadModule(path: string, withinMs: number): Promise<LoadedService> {
  const file = pathToFileURL(path).href
  const { worker, facts } = await startThread({ file, memoryMb: 64 }, withinMs)
  await worker.terminate()
  return { ...checkFacts(facts), how: { file, memoryMb: readMemory(facts) } }
}

function readMemory({ memoryMb = 64 }: { memoryMb?: number }): number {
  if (!Number.isInteger(memoryMb) || memoryMb < 8 || memoryMb > 512)
    throw new Error('must have a memoryMb from 8 to 512.')
  return memoryMb
}

const addressMembers = ['code', 'scope', 'description', 'input', 'access', 'timeoutMs', 'url', 'secret']

async function loadAddress(path: string, outbound: Outbound): Promise<LoadedService> {
  let given: Record<string, unknown>
  try {
    given = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  } catch {
    throw new Error('is not JSON.')
  }
  const unknown = Object.keys(given).find((name) => !addressMembers.includes(name))
  if (unknown !== undefined)
    throw new Error(`has the unknown member ${unknown}. Known are ${addressMembers.join(', ')}.`)
  const { url, secret } = given
  const fault = outbound.findFault(String(url))
  if (fault !== undefined) throw new Error(`has a url that ${fault}`)
  if (typeof secret !== 'string' || !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) {
    throw new Error('must have a secret: whsec_ and 24 to 64 random bytes in Base64.')
  }
  return { ...checkFacts(given), how: { url: String(url), secret } }
}

/** Checks the members that both kinds of services have. */
function checkFacts(given: object): Omit<LoadedService, 'how'> {
  const { code, scope, description, input, access, timeoutMs = 10_000 } = given as Record<string, unknown>
  if (typeof code !== 'string' || !/^[A-Za-z][A-Za-z0-9-]{0,49}$/.test(code)) {
    throw new Error('must have a code of 1 to 50 letters, digits and hyphens.')
  }
  if (!serviceScopes.includes(scope as ServiceScope))
    throw new Error(`must have a scope: ${serviceScopes.join(', ')}.`)
  if (typeof description !== 'string' || description === '') throw new Error('must have a description.')
  if (!allAccessCodes.includes(access as AccessCode))
    throw new Error('must have an access code such as debtor.read.')
  if (!Number.isInteger(timeoutMs) || Number(timeoutMs) < 100 || Number(timeoutMs) > 300_000) {
    throw new Error('must have a timeoutMs from 100 to 300000.')
  }
  return {
    code,
    scope: scope as ServiceScope,
    description,
    access: access as AccessCode,
    timeoutMs: Number(timeoutMs),
    checkInput: compileInputCheck(input),
    input: input as object,
  }
}

function compileInputCheck(input: unknown): Check {
  if (typeof input !== 'object' || input === null) throw new Error('must have an input: a JSON Schema.')
  try {
    return compileForeignCheck(input)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new Error(`has an input that is not a JSON Schema: ${(error as Error).message}`, { cause: error })
  }
}
