/**
 * Operations that the console uses as soon as the service has them: it looks for each by method and path in the
 * client's table, so that nothing here needs to change on that day. Shapes are those of the specification.
 */
import { operationTable } from '../../../client/operation-table.ts'
import type { CallOptions } from '../../../client/options.ts'
import { api } from './client.ts'

export interface NavigationSections {
  sections: {
    sectionCode: string
    label: string
    description: string
    url: string
    icon: string
    subSections: { label: string; url: string }[]
  }[]
}
export interface LookupValues {
  values: { lookupCode: string; lookupKey: string; description: string }[]
}

/** The operation's name, where this version of the service has it. */
export function findLater(method: string, path: string): string | undefined {
  const wanted = `${method} ${path}`.toLowerCase()
  return Object.entries(operationTable).find(([, line]) => {
    const [ownMethod, ownPath] = line.split(' ')
    return `${ownMethod} ${ownPath}`.toLowerCase() === wanted
  })?.[0]
}

type Loose = Record<string, (input: object, options: CallOptions) => Promise<unknown>>

export const callLater = <T>(name: string, input: object, options: CallOptions = {}): Promise<T> =>
  (api as unknown as Loose)[name]!(input, options) as Promise<T>

export const answerLater = <T>(
  name: string,
  input: object,
  options: CallOptions = {},
): Promise<{ body: T; etag: string | undefined }> =>
  (api.withAnswer as unknown as Loose)[name]!(input, options) as Promise<{
    body: T
    etag: string | undefined
  }>
