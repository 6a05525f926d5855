/**
 * Time stamps of an authority (RFC 3161, over HTTP): its signed statement that a text existed at a moment. A time stamp is
 * checked before it is kept: the text, our nonce, the signature, the purpose of the certificate, and the certificate's
 * chain up to one that the operator trusts.
 */
import { randomBytes, X509Certificate } from 'node:crypto'
import { Integer } from 'asn1js'
import {
  Certificate,
  ContentInfo,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
  type CertificateRevocationList,
  type ExtKeyUsage,
} from 'pkijs'
import { checkRevocation, readName, type RevocationCheck } from './revocation.ts'

export interface TimeStampAuthority {
  url: string
  trusted: readonly Certificate[]
  /** Read anew for each time stamp, because issuers replace their lists. */
  readLists?: (() => readonly CertificateRevocationList[]) | undefined
}

export interface TimeStamp {
  /** ISO 8601, by the clock of the authority. */
  at: string
  /** The subject of the authority's certificate, such as `CN=Time Stamps, O=Authority`. */
  authority: string
  revocation: RevocationCheck
}

const timeoutMs = 15_000
/** A time stamp with its certificates has some kilobytes. */
const bytesMax = 65_536

const signedDataType = '1.2.840.113549.1.7.2'
const timeStampType = '1.2.840.113549.1.9.16.1.4'
const extendedKeyUsage = '2.5.29.37'
const timeStamping = '1.3.6.1.5.5.7.3.8'

/** The certificates of a PEM file. Throws when it has none. */
export function readCertificates(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('It has no certificate in PEM.')
  return blocks.map((block) => Certificate.fromBER(toBuffer(new X509Certificate(block).raw)))
}

/**
 * Asks the authority for a time stamp of a text. Returns the token, in DER. Throws with the reason when the authority
 * does not answer within 15 seconds, refuses, or answers something else.
 */
export async function requestTimeStamp(
  { url, trusted, readLists }: TimeStampAuthority,
  text: string,
): Promise<Buffer> {
  // A positive integer of 63 bits.
  const nonce = randomBytes(8).readBigUInt64BE() >> 1n
  const request = new TimeStampReq({
    version: 1,
    messageImprint: await MessageImprint.create('SHA-256', toBuffer(Buffer.from(text))),
    nonce: Integer.fromBigInt(nonce),
    certReq: true,
  })
  const answer = await post(url, new Uint8Array(request.toSchema().toBER()))
  const { status, timeStampToken } = parse('answer', () => TimeStampResp.fromBER(answer))
  // 0 is granted, 1 granted with modifications.
  if (status.status > 1 || !timeStampToken) {
    const why = (status.statusStrings ?? []).map(({ valueBlock }) => valueBlock.value).join(' ')
    throw new Error(`The authority refuses: status ${status.status}${why === '' ? '' : `, ${why}`}.`)
  }
  const token = Buffer.from(timeStampToken.toSchema().toBER())
  await readTimeStamp(token, text, trusted, readLists?.())
  if (readContent(token).info.nonce?.toBigInt() !== nonce)
    throw new Error('The time stamp has another nonce than the request.')
  return token
}

async function post(url: string, body: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`The authority answers more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  if (!response.ok) throw new Error(`The authority answers HTTP ${response.status}.`)
  return toBuffer(Buffer.concat(chunks))
}

/** Reads a token, and checks it for the text, the trusted certificates and the revocation lists. Throws with what is wrong. */
export async function readTimeStamp(
  token: Uint8Array,
  text: string,
  trusted: readonly Certificate[],
  lists: readonly CertificateRevocationList[] = [],
): Promise<TimeStamp> {
  const { signed, info } = readContent(token)
  const result = await signed
    .verify({
      signer: 0,
      data: toBuffer(Buffer.from(text)),
      // Certificates are judged by the day of the time stamp: it outlives them.
      checkChain: true,
      trustedCerts: [...trusted],
      passedWhenNotRevValues: true,
      extendedMode: true,
    })
    .catch((error: unknown) => {
      throw new Error(`The time stamp does not hold: ${(error as Error).message}.`, { cause: error })
    })
  if (!result.signatureVerified || !result.signerCertificate)
    throw new Error('The time stamp has a wrong signature.')
  if (!isForTimeStamps(result.signerCertificate))
    throw new Error('The certificate of the authority is not one for time stamps.')
  const sent = (signed.certificates ?? []).filter((one) => one instanceof Certificate)
  const revocation = await checkRevocation(
    result.signerCertificate,
    [...sent, ...trusted],
    lists,
    info.genTime,
  )
  return { at: info.genTime.toISOString(), authority: readName(result.signerCertificate), revocation }
}

function readContent(token: Uint8Array): { signed: SignedData; info: TSTInfo } {
  return parse('time stamp', () => {
    const content = ContentInfo.fromBER(toBuffer(token))
    if (content.contentType !== signedDataType) throw new Error('It is not signed.')
    const signed = new SignedData({ schema: content.content })
    const { eContentType, eContent } = signed.encapContentInfo
    if (eContentType !== timeStampType || !eContent) throw new Error('It is about something else.')
    if (signed.signerInfos.length !== 1 || !signed.signerInfos[0]!.signedAttrs)
      throw new Error('It needs one signature, with signed attributes.')
    return { signed, info: TSTInfo.fromBER(eContent.getValue()) }
  })
}

function parse<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`The ${what} is not as RFC 3161 has it: ${(error as Error).message}`, { cause: error })
  }
}

/** RFC 3161, section 2.3: the only purpose, and critical. */
function isForTimeStamps({ extensions }: Certificate): boolean {
  const extension = extensions?.find(({ extnID }) => extnID === extendedKeyUsage)
  const purposes = (extension?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? []
  return extension?.critical === true && purposes.length === 1 && purposes[0] === timeStamping
}

/** A copy of its own: a small Buffer shares its memory with others. */
const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
