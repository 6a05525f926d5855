import { availableParallelism, totalmem } from 'node:os'
import { archiveCommand, restoreCommand } from './log-archive.ts'

const mebibyte = 1024 * 1024

export interface LogUse {
  /** The archive folder for the write-ahead log. */
  archive?: string | undefined
  /** Recovery on this start: the archive folder, and the moment (default: the whole log). */
  recovery?: { archive: string; until?: string } | undefined
}

/**
 * The server's settings, given on its command line so that they follow the program's version. They suit a small machine
 * that runs Fordra and its database together. Larger installations tune their own server and set DATABASE_URL.
 */
export function chooseSettings(
  options: LogUse & { socketFolder: string; durable: boolean },
): Record<string, string> {
  const memory = availableMemory()
  const shared = clamp(memory / 4, 32 * mebibyte, 512 * mebibyte)
  return {
    listen_addresses: '',
    unix_socket_directories: options.socketFolder,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: inMebibytes(shared),
    effective_cache_size: inMebibytes(Math.max(memory / 2, shared)),
    work_mem: inMebibytes(clamp(memory / 256, 4 * mebibyte, 16 * mebibyte)),
    maintenance_work_mem: inMebibytes(clamp(memory / 16, 32 * mebibyte, 256 * mebibyte)),
    huge_pages: 'off',
    // Flash disks and short lists: the planner's defaults are wrong for both.
    random_page_cost: '1.1',
    effective_io_concurrency: '64',
    jit: 'off',
    max_parallel_workers_per_gather: String(clamp(availableParallelism() - 1, 0, 2)),
    wal_compression: 'pglz',
    max_wal_size: '2GB',
    min_wal_size: '128MB',
    // An embedded server has no replicas.
    max_wal_senders: '0',
    ...chooseLogSettings(options),
    shared_preload_libraries: 'pg_stat_statements',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The application logs failed statements: the server's own lines would hold personal data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    // Without DETAIL, which repeats the values of a row: of a unique violation the identity number.
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    ...(options.durable ? {} : forTests),
  }
}

/** Little is written to the log or held in memory: a test run makes and drops hundreds of small databases. */
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_wal_size: '256MB',
  shared_buffers: '128MB',
}

function chooseLogSettings({ archive, recovery }: LogUse): Record<string, string> {
  if (recovery) {
    return {
      wal_level: 'replica',
      // The server then reports ready only when it has reached the moment and accepts writes.
      hot_standby: 'off',
      restore_command: restoreCommand(recovery.archive),
      recovery_target_timeline: 'current',
      recovery_target_action: 'promote',
      ...(recovery.until !== undefined && { recovery_target_time: recovery.until }),
    }
  }
  if (archive === undefined) return { wal_level: 'minimal' }
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: archiveCommand(archive),
  }
}

/** Bytes: the container's limit if it is below the machine's memory. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))
const inMebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)}MB`
