/**
 * A sandbox is a copy of an installation that sends nothing. The mark in its database decides that, so that no setting can
 * make it send.
 */
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import type { Db } from '../database/transaction.ts'
import { anchorFolder } from '../events/anchor.ts'
import { OutboundFailure, type Outbound } from '../outbound/post.ts'

export interface SandboxMark {
  id: string
  /** When the source was as the copy shows it. */
  copiedAt: string
  masked: boolean
}

/** Undefined for an installation that is no sandbox. */
export async function findSandbox(db: Db): Promise<SandboxMark | undefined> {
  const [mark] = await db<SandboxMark[]>`select id, copied_at as "copiedAt", masked from sandbox`
  return mark
}

/** What would send, call the source's neighbours, or write beside the source's audit trail. */
const heldBack = [
  'FORDRA_SMTP_URL',
  'FORDRA_MAIL_FROM',
  'FORDRA_SMS_URL',
  'FORDRA_SMS_TOKEN',
  'FORDRA_LETTERS',
  'FORDRA_TSA_URL',
  'FORDRA_TSA_CA',
  'FORDRA_TSA_CRL',
  'FORDRA_OTLP_URL',
  'FORDRA_OTLP_HEADERS',
  'FORDRA_OIDC_ISSUER',
  'FORDRA_OIDC_CLIENT_ID',
  'FORDRA_OIDC_CLIENT_SECRET',
  'FORDRA_BACKUPS',
  'FORDRA_REPLICA_URL',
  'FORDRA_SEAL_KEY',
] as const

/**
 * The settings under which a sandbox runs. Its audit trail has a folder and a key of its own, also where it is started
 * with the settings of its source.
 */
export function holdBack(settings: Settings, { id }: SandboxMark): Settings {
  const held = { ...settings, FORDRA_ANCHOR: join(anchorFolder(settings), `sandbox-${id}`) }
  for (const name of heldBack) delete held[name]
  return held
}

/** The settings under which an installation runs: as given, unless it is a sandbox. */
export async function readEffective(db: Db, settings: Settings): Promise<Settings> {
  const mark = await findSandbox(db)
  return mark ? holdBack(settings, mark) : settings
}

const refuseCall = async () => {
  throw new OutboundFailure('This is a sandbox: it calls no other host.')
}

/** Calls nobody. Addresses are checked as ever. */
export const holdOutbound = (outbound: Outbound): Outbound => ({
  ...outbound,
  post: refuseCall,
  get: refuseCall,
})
