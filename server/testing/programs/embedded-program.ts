import { startEmbedded } from '../../platform/database/embedded/start-embedded.ts'

// A stand-in for Fordra that tests may kill: starts the embedded server on the folder named by its argument, says so
// in a line of JSON, and stops when told.
try {
  const server = await startEmbedded({ dataFolder: process.argv[2] ?? '', report: () => {} })
  const held = setInterval(() => {}, 60_000)
  process.once('SIGTERM', async () => {
    await server.stop()
    clearInterval(held)
  })
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ refused: error instanceof Error ? error.message : String(error) })}\n`,
  )
}
