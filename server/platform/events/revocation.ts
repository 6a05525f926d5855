/**
 * Revocation lists (RFC 5280) of the authorities that issued certificates of a time stamp authority. The operator keeps
 * them as a file; nothing is fetched. RFC 3161, section 4, says what a revocation means for time stamps.
 */
import { X509Certificate } from 'node:crypto'
import type { Enumerated } from 'asn1js'
import { CertificateRevocationList, type Certificate, type Extension, type RevokedCertificate } from 'pkijs'

const reasonCode = '2.5.29.21'
/** Critical ones that need no reading here: none. Those of an entry that are read. */
const entryExtensionsRead = new Set([reasonCode])

/**
 * Reasons that leave the key in good hands: what was stamped before the revocation holds. Unspecified, another affiliation,
 * superseded, out of use.
 */
const harmless = new Set([0, 3, 4, 5])
const reasons = [
  'unspecified',
  'key compromised',
  'issuer compromised',
  'affiliation changed',
  'superseded',
  'out of use',
  'on hold',
  '',
  'removed from the list',
  'privilege withdrawn',
  'attribute authority compromised',
]

/** The lists of a file: one in DER, or several in PEM. Throws with what is wrong. */
export function readRevocationLists(bytes: Uint8Array): CertificateRevocationList[] {
  const text = Buffer.from(bytes).toString('latin1')
  const blocks = [...text.matchAll(/-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/g)]
  const lists = blocks.length > 0 ? blocks.map(([, base64]) => Buffer.from(base64!, 'base64')) : [bytes]
  return lists.map(readList)
}

function readList(der: Uint8Array): CertificateRevocationList {
  let list: CertificateRevocationList
  try {
    list = CertificateRevocationList.fromBER(new Uint8Array(der).buffer)
  } catch (error) {
    throw new Error('It has no revocation list in PEM or DER.', { cause: error })
  }
  // RFC 5280, section 5.2: a list with a critical extension that is not understood must not be used. Such lists are not
  // complete: they are for a part of the certificates, or tell only what has changed.
  const unknown = [
    ...listCritical(list.crlExtensions?.extensions),
    ...(list.revokedCertificates ?? []).flatMap(({ crlEntryExtensions }) =>
      listCritical(crlEntryExtensions?.extensions).filter((id) => !entryExtensionsRead.has(id)),
    ),
  ]
  if (unknown.length > 0)
    throw new Error(
      `A revocation list has the critical extension ${unknown[0]}, which is not understood. Give a complete list of the issuer.`,
    )
  return list
}

const listCritical = (extensions: readonly Extension[] = []): string[] =>
  extensions.filter(({ critical }) => critical).map(({ extnID }) => extnID)

export interface RevocationCheck {
  /** When the list for the authority's own certificate was issued; null where no list is of its issuer. */
  listedAt: string | null
  /** When the issuer was to replace it; null where it does not say. */
  replacedBy: string | null
}

/**
 * Holds the signer's certificate and those above it against the lists. Throws when one was revoked so that a time stamp of
 * that moment does not hold, or when a list is not signed by its issuer.
 */
export async function checkRevocation(
  signer: Certificate,
  issuers: readonly Certificate[],
  lists: readonly CertificateRevocationList[],
  stampedAt: Date,
): Promise<RevocationCheck> {
  const check: RevocationCheck = { listedAt: null, replacedBy: null }
  let certificate = signer
  // A chain of certificates has few; a circle ends here.
  for (let depth = 0; depth < 8; depth++) {
    const issuer = issuers.find((one) => one !== certificate && isIssuedBy(certificate, one))
    if (!issuer) break
    for (const list of lists.filter((one) => one.issuer.isEqual(issuer.subject))) {
      if (!(await list.verify({ issuerCertificate: issuer })))
        throw new Error(`The revocation list of ${readName(issuer)} has a wrong signature.`)
      refuseRevoked(certificate, list, stampedAt)
      if (depth === 0) {
        check.listedAt = list.thisUpdate.value.toISOString()
        check.replacedBy = list.nextUpdate?.value.toISOString() ?? null
      }
    }
    if (isIssuedBy(issuer, issuer)) break
    certificate = issuer
  }
  return check
}

function refuseRevoked(certificate: Certificate, list: CertificateRevocationList, stampedAt: Date): void {
  const entry = list.revokedCertificates?.find(({ userCertificate }) =>
    userCertificate.isEqual(certificate.serialNumber),
  )
  if (!entry) return
  const reason = findReason(entry)
  const since = entry.revocationDate.value
  // Without a reason the key may have been anybody's all along.
  if (reason !== undefined && harmless.has(reason) && stampedAt < since) return
  throw new Error(
    `The certificate ${readName(certificate)} was revoked on ${since.toISOString()} (${reason === undefined ? 'no reason is given' : reasons[reason]}), ` +
      (reason !== undefined && harmless.has(reason)
        ? `and the time stamp is of ${stampedAt.toISOString()}.`
        : 'so no time stamp by it holds.'),
  )
}

function findReason({ crlEntryExtensions }: RevokedCertificate): number | undefined {
  const extension = crlEntryExtensions?.extensions.find(({ extnID }) => extnID === reasonCode)
  return (extension?.parsedValue as Enumerated | undefined)?.valueBlock.valueDec
}

const toX509 = (certificate: Certificate) => new X509Certificate(Buffer.from(certificate.toSchema().toBER()))

function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  const [child, parent] = [toX509(certificate), toX509(issuer)]
  return child.checkIssued(parent) && child.verify(parent.publicKey)
}

export const readName = (certificate: Certificate): string =>
  toX509(certificate).subject.split('\n').toReversed().join(', ')
