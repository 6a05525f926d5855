// A first look: node run-seed.ts SEED [SEED]
import './virtual-time.ts'
import { openLaboratory } from './laboratory.ts'
import { openReceivers } from './receivers.ts'
import { Simulation } from './simulation.ts'

const [from, to] = process.argv.slice(2).map(Number)
const laboratory = await openLaboratory()
const receivers = await openReceivers()
for (let seed = from!; seed <= (to ?? from!); seed++) {
  const result = await new Simulation(laboratory, receivers, { seed }).run()
  if (to === undefined) console.log(result.trace.join('\n'))
  console.log(seed, result.milliseconds, 'ms', result.steps, 'steps', result.operations, 'ops', result.faults)
}
await receivers.close()
await laboratory.close()
process.exit()
