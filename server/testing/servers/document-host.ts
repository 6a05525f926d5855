/** A host of client ID metadata documents, by HTTPS on this computer with a certificate that this process trusts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** What the host answers at one path. */
export interface Published {
  status?: number
  headers?: Record<string, string>
  body: string
}

export interface DocumentHost {
  /** `localhost` with its port. */
  host: string
  address(path: string): string
  /** Publishes a document of this program, with `more` in it. Returns its address, the `client_id`. */
  publish(path: string, more?: object, headers?: Record<string, string>): string
  /** Answers anything at a path. Returns its address. */
  answer(path: string, published: Published): string
  /** How often a path was read. */
  reads(path: string): number
  close(): Promise<void>
}

export const publishedCallback = 'https://assistant.example/callback'

export async function startDocumentHost(): Promise<DocumentHost> {
  const { key, cert } = makeCertificate()
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const pages = new Map<string, Published>()
  const counts = new Map<string, number>()
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url!
    counts.set(path, (counts.get(path) ?? 0) + 1)
    const { status = 200, headers, body } = pages.get(path) ?? { status: 404, body: '' }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const host = `localhost:${await listen(server)}`
  const address = (path: string) => `https://${host}${path}`
  const answer = (path: string, published: Published) => {
    pages.set(path, published)
    return address(path)
  }
  return {
    host,
    address,
    answer,
    publish: (path, more = {}, headers = {}) => {
      const document = { client_id: address(path), client_name: 'Desk', redirect_uris: [publishedCallback] }
      return answer(path, { headers, body: JSON.stringify({ ...document, ...more }) })
    },
    reads: (path) => counts.get(path) ?? 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-document-host-'))
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'key', '-out', 'cert', '-days', '2']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', ['req', '-x509', ...made, ...names], { cwd: folder, stdio: 'pipe' })
  const [key, cert] = ['key', 'cert'].map((name) => readFileSync(join(folder, name), 'utf8'))
  rmSync(folder, { recursive: true })
  return { key: key!, cert: cert! }
}
