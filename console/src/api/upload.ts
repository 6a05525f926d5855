/** Sends files with progress, which `fetch` does not tell. */
import { createClient } from '../../../client/client.ts'
import { endedSessions, isReachable } from './client.ts'

type OnProgress = (share: number) => void

/** Who is told of the progress of a file that is sent. */
const listeners = new WeakMap<Blob, OnProgress>()

/** A large file on a slow line takes minutes. It is sent again by the user, not by itself. */
const uploads = createClient({
  session: 'cookie',
  timeoutMs: 600_000,
  retries: 0,
  onSignedOut: () => endedSessions.set((count) => count + 1),
  fetch: (input, init) =>
    init?.body instanceof Blob ? sendBlob(input, init, listeners.get(init.body)) : fetch(input, init),
})

/** Calls an operation that takes a file. `onProgress` gets the share that is sent, from 0 to 1. */
export function upload<T>(
  file: Blob,
  onProgress: OnProgress,
  call: (client: typeof uploads) => Promise<T>,
): Promise<T> {
  listeners.set(file, onProgress)
  return call(uploads)
}

function sendBlob(
  input: Parameters<typeof fetch>[0],
  { method = 'POST', headers, body, signal }: RequestInit,
  onProgress: OnProgress | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, input instanceof Request ? input.url : input)
    request.responseType = 'blob'
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress?.(total > 0 ? loaded / total : 0),
    )
    request.addEventListener('load', () => {
      isReachable.set(true)
      resolve(
        new Response(request.response as Blob, { status: request.status, headers: readHeaders(request) }),
      )
    })
    request.addEventListener('error', () => {
      isReachable.set(false)
      reject(new TypeError('The file could not be sent.'))
    })
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body as Blob)
  })
}

function readHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [name, ...value] = line.split(': ')
    if (name) headers.append(name, value.join(': '))
  }
  return headers
}
