/** Copies an installation beside it. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { BackupRefused } from '../../server/platform/backups/archive.ts'
import { openConfigured, type OpenDatabase } from '../../server/platform/database/open-configured.ts'
import type { Settings } from '../../server/platform/config.ts'
import { copyInstallation, type CopiedInstallation } from '../../server/insight/sandbox/copy-installation.ts'
import { startProgressBar } from '../progress-bar.ts'
import { loadSettings, report } from '../settings.ts'

export interface SandboxOptions {
  database?: string
  personalData?: boolean
  json?: boolean
  quiet?: boolean
}

interface Target {
  /** The setting by which a command finds the sandbox. */
  setting: string
  open(): Promise<OpenDatabase>
  /** Removes what a failed copy began. */
  discard(): Promise<void>
}

/** Works beside a running server, which goes on. */
export async function runSandbox(folder: string | undefined, options: SandboxOptions): Promise<void> {
  const settings = loadSettings()
  const source = await openConfigured(settings, report, { beside: true, existing: true })
  try {
    const target = await prepareTarget(folder, options, settings)
    const started = performance.now()
    try {
      const copied = await copyInto(source, target, options)
      const seconds = Math.round(performance.now() - started) / 1000
      tell(options, target, { ...copied, seconds })
    } catch (error) {
      await target.discard()
      throw error
    }
  } finally {
    await source.close()
  }
}

async function copyInto(source: OpenDatabase, target: Target, options: SandboxOptions) {
  const database = await target.open()
  const bar = startProgressBar(process.stderr, options.quiet !== true && options.json !== true)
  try {
    return await copyInstallation(source.sql, database.sql, {
      masked: options.personalData !== true,
      onProgress: bar.show,
    })
  } finally {
    bar.end()
    await database.close()
  }
}

const defaultFolder = './sandbox'

async function prepareTarget(
  folder: string | undefined,
  { database }: SandboxOptions,
  settings: Settings,
): Promise<Target> {
  if (folder !== undefined && database !== undefined)
    throw new BackupRefused('Name a folder or --database, not both.')
  // Of the source: its archive, its replica, its pooler.
  const { DATABASE_URL, FORDRA_DIRECT_URL, FORDRA_REPLICA_URL, FORDRA_ARCHIVE, ...rest } = settings
  if (database !== undefined) {
    if (!/^postgres(ql)?:\/\//.test(database))
      throw new BackupRefused('--database must begin with postgres:// and name an empty database.')
    if (database === DATABASE_URL || database === FORDRA_DIRECT_URL || database === FORDRA_REPLICA_URL)
      throw new BackupRefused(sameAsSource)
    return {
      setting: 'DATABASE_URL=<the address of the sandbox>',
      open: () => openConfigured({ ...rest, DATABASE_URL: database }, report),
      discard: async () => {},
    }
  }
  const path = resolve(folder ?? defaultFolder)
  if (DATABASE_URL === undefined && path === resolve(settings.FORDRA_DATA))
    throw new BackupRefused(sameAsSource)
  if (FORDRA_ARCHIVE !== undefined && path === resolve(FORDRA_ARCHIVE)) throw new BackupRefused(sameAsSource)
  const found = await readdir(path).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new BackupRefused(`${path} is no folder that can be read: ${(error as Error).message}.`)
  })
  if (found !== undefined && found.length > 0)
    throw new BackupRefused(`The folder ${path} is not empty. Name a new one: fordra sandbox ./another`)
  await mkdir(path, { recursive: true })
  return {
    setting: `FORDRA_DATA=${relative('.', path) || '.'}`,
    open: () => openConfigured({ ...rest, FORDRA_DATA: path }, report),
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

const sameAsSource = 'The sandbox would be the installation itself. Name another folder or database for it.'

function tell(
  { json, personalData }: SandboxOptions,
  { setting }: Target,
  copied: CopiedInstallation & { seconds: number },
): void {
  const { rows, tables, businessDate, login, leftBehind, seconds } = copied
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...copied, masked: personalData !== true })}\n`)
    return
  }
  const width = login.login.length
  const lines = [
    `Copied ${rows} rows of ${tables} tables in ${seconds} s.`,
    personalData === true
      ? 'PERSONAL DATA IS NOT MASKED: protect the sandbox as you protect its source.'
      : 'Personal data is masked.',
    `The clock of the sandbox stands on ${businessDate}. It sends no e-mail, SMS, letter, webhook or bank file.`,
    ...(leftBehind.endedRequests > 0
      ? [
          `${leftBehind.endedRequests} requests for bank files have ended in it: held files are not copied. Send a file there to try it.`,
        ]
      : []),
    ...(leftBehind.bookedFurther > 0
      ? [`${leftBehind.bookedFurther} bank files are booked further when it starts.`]
      : []),
    '',
    `Start it:  ${setting} PORT=3001 fordra start`,
    'Login (shown this once, keep it):',
    `  ${login.login.padEnd(width)}  ${login.password}  (administrator)`,
    '',
  ]
  process.stdout.write(lines.join('\n'))
}
