/** A time stamp authority for tests: OpenSSL's, behind HTTP. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestAuthority {
  url: string
  /** The PEM file of its root. */
  root: string
  /** What it answers in place of a time stamp. */
  answerBy: ((query: Buffer) => { status?: number; body: Buffer }) | undefined
  /** Has OpenSSL check a token for a text. Returns what it prints; throws when it does not hold. */
  verify(token: Buffer, text: string): string
  /** The content of a token signed by a certificate of the same root that is for e-mail. */
  signByOther(token: Buffer): Buffer
  /**
   * Has the root revoke the authority's certificate as of a moment, with a reason as OpenSSL names it, or nothing. Returns
   * the PEM file of the list.
   */
  listRevoked(revoked?: { at: Date; reason?: string }): string
  /** OpenSSL's answer to a query. */
  reply(query: Buffer): Buffer
  close(): Promise<void>
}

/** True where OpenSSL is installed. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** @param key how its keys are made, as for `openssl req` */
export async function startAuthority(
  key: readonly string[] = ['-newkey', 'rsa:2048'],
): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-authority-'))
  const run = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  makeCertificates(folder, run, key)
  const reply = (query: Buffer) => {
    writeFileSync(join(folder, 'query'), query)
    run('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', '-out', 'answer')
    return readFileSync(join(folder, 'answer'))
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const query = Buffer.concat(chunks)
      const { status = 200, body } = authority.answerBy?.(query) ?? { body: reply(query) }
      response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authority: TestAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    root: join(folder, 'root.pem'),
    answerBy: undefined,
    reply,
    verify: (token, text) => {
      writeFileSync(join(folder, 'token'), token)
      writeFileSync(join(folder, 'text'), text)
      const args = ['-data', 'text', '-in', 'token', '-token_in', '-CAfile', 'root.pem']
      return run('ts', '-verify', ...args).toString()
    },
    signByOther: (token) => {
      writeFileSync(join(folder, 'token'), token)
      run('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token', '-binary', '-out', 'content')
      const args = ['-in', 'content', '-signer', 'mail.pem', '-inkey', 'mail.key', '-outform', 'DER']
      return run('cms', '-sign', '-nodetach', '-binary', '-econtent_type', timeStampType, ...args)
    },
    listRevoked: (revoked) => makeRevocationList(folder, run, revoked),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
  return authority
}

/** A root, the authority's certificate, and one for e-mail. */
function makeCertificates(
  folder: string,
  run: (...args: readonly string[]) => unknown,
  key: readonly string[],
): void {
  const root = ['-keyout', 'root.key', '-out', 'root.pem', '-days', '30', '-subj', '/CN=Root']
  run('req', '-x509', ...key, '-nodes', ...root)
  for (const [name, purpose] of [
    ['tsa', 'critical,timeStamping'],
    ['mail', 'critical,emailProtection'],
  ] as const) {
    writeFileSync(join(folder, 'ext'), `extendedKeyUsage=${purpose}\n`)
    const request = ['-keyout', `${name}.key`, '-out', 'csr', '-subj', '/O=Test/CN=Time Stamps']
    run('req', '-new', ...key, '-nodes', ...request)
    const signed = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-extfile', 'ext']
    run('x509', '-req', '-in', 'csr', ...signed, '-out', `${name}.pem`, '-days', '30')
  }
  writeFileSync(join(folder, 'serial'), '01\n')
  writeFileSync(join(folder, 'tsa.cnf'), configuration)
}

/** As OpenSSL writes moments: year to second, with two digits each. */
const moment = (date: Date) => `${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`

/** The index of OpenSSL's small CA is written by hand, so that a revocation can be of any moment. */
function makeRevocationList(
  folder: string,
  run: (...args: readonly string[]) => unknown,
  revoked?: { at: Date; reason?: string },
): string {
  const { serialNumber, validTo } = new X509Certificate(readFileSync(join(folder, 'tsa.pem')))
  const since = revoked && `${moment(revoked.at)}${revoked.reason === undefined ? '' : `,${revoked.reason}`}`
  const row = ['R', moment(new Date(validTo)), since, serialNumber, 'unknown', '/O=Test/CN=Time Stamps']
  writeFileSync(join(folder, 'index'), revoked ? `${row.join('\t')}\n` : '')
  writeFileSync(join(folder, 'number'), '01\n')
  const settings = [
    '[ca]',
    'default_ca=test',
    '[test]',
    'database=index',
    'crlnumber=number',
    'default_md=sha256',
  ]
  writeFileSync(join(folder, 'ca.cnf'), [...settings, 'default_crl_days=7', ''].join('\n'))
  const root = ['-keyfile', 'root.key', '-cert', 'root.pem']
  run('ca', '-gencrl', '-config', 'ca.cnf', ...root, '-out', 'revoked.pem')
  return join(folder, 'revoked.pem')
}

const timeStampType = '1.2.840.113549.1.9.16.1.4'

const configuration = `[tsa]
default_tsa = test
[test]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
signer_key = tsa.key
certs = root.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = yes
`
