import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../platform/database/embedded/start-embedded.ts'

/** Tells the tests of a run which server is theirs; `bin/test.mjs` starts one for all of them. */
export const testServerVariable = 'FORDRA_TEST_DATABASE_URL'

/** Host and port of a pooler in front of it, if there is one. */
export const testPoolerVariable = 'FORDRA_TEST_POOLER'

/** Set where the pooler keeps prepared statements. */
export const testPoolerPreparesVariable = 'FORDRA_TEST_POOLER_PREPARES'

/** Starts a throw-away PostgreSQL: not flushed to disk, in a temporary folder that `stop` removes. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'fordra-test-'))
  // Root's PostgreSQL runs as somebody else, who must be able to pass through.
  await chmod(dataFolder, 0o711)
  const server = await startEmbedded({ dataFolder, durable: false, report: () => {} })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
