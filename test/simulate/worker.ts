/** A process that runs one seed after the other. The simulated clock comes before anything that uses a clock. */
import './virtual-time.ts'
import { registerHooks } from 'node:module'
import { plant } from './planted/plant.ts'
import type { RunOptions, RunResult } from './simulation.ts'

export interface WorkerRequest extends Omit<RunOptions, 'without'> {
  without?: number[]
}

plant(process.env['FORDRA_SIMULATE_PLANT'])

/** Which module gets another one for one of its own: [importer, imported, stand-in]. */
const standIns = [
  ['/imports/import-upload.ts', '/import-thread.ts', 'import-in-process.ts'],
  ['/services/load-services.ts', '/threads.ts', 'kept-threads.ts'],
  ['/server/app.ts', '/services/threads.ts', 'kept-threads.ts'],
  ['/sessions/passwords.ts', '@node-rs/argon2', 'counted-hashes.ts'],
] as const
registerHooks({
  resolve: (specifier, context, next) => {
    const found = standIns.find(
      ([importer, imported]) =>
        specifier.endsWith(imported) && context.parentURL?.endsWith(importer) === true,
    )
    return found
      ? { url: new URL(found[2], import.meta.url).href, shortCircuit: true }
      : next(specifier, context)
  },
})
const { CpuMeter } = await import('./cpu-meter.ts')
const { openLaboratory } = await import('./laboratory.ts')
const { openReceivers } = await import('./receivers.ts')
const { Simulation } = await import('./simulation.ts')

const laboratory = await openLaboratory()
const receivers = await openReceivers()
const meter = new CpuMeter(laboratory.processId)
process.on('message', (request: WorkerRequest | 'end') => void handle(request))
process.on('disconnect', () => void end())
process.send!('ready')

async function handle(request: WorkerRequest | 'end'): Promise<void> {
  if (request === 'end') return end()
  const options = { ...request, without: new Set(request.without) }
  const result: RunResult = await new Simulation(laboratory, receivers, options).run()
  process.send!({ ...result, cpuSeconds: meter.read() })
}

async function end(): Promise<void> {
  await receivers.close()
  await laboratory.close()
  process.exit()
}
