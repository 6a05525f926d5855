/** What goes wrong around the service. */
import type { Operation } from './operation.ts'

const mayCrash: Operation['needs'] = ({ faults }) => faults.crashes

export const faults: Operation[] = [
  {
    name: 'kill a node',
    weight: 3,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      const node = random.pick(simulation.scheduler.nodes)
      simulation.disturbed = true
      if (node) simulation.killNode(node)
    },
  },
  {
    name: 'cut a connection',
    weight: 3,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      const connection = random.pick(simulation.scheduler.nodes.flatMap(({ wire }) => wire.connections))
      if (!connection) return
      simulation.disturbed = true
      simulation.note(`the connection ${connection.label} is cut`)
      connection.destroy()
    },
  },
  {
    name: 'kill the database',
    weight: 1,
    needs: mayCrash,
    run: ({ simulation }) => simulation.crashDatabase(),
  },
  {
    name: 'start a node',
    weight: 2,
    needs: ({ scheduler }) => scheduler.nodes.length < 2,
    run: async ({ simulation }) => void simulation.startNode(),
  },
]
