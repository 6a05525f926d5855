/** What is sent while measuring. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
}

/** The requests of one measurement: sent one after the other over all connections, from the first again after the last. */
export interface Load {
  address: string
  /** Of every request. */
  headers: Record<string, string>
  requests: HttpRequest[]
  connections: number
  seconds: number
}

export const buildHeaders = (
  { headers }: Pick<Load, 'headers'>,
  { body }: HttpRequest,
): Record<string, string> =>
  body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
