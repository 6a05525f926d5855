/** What goes wrong around the service. */
import { connect } from 'node:net'
import { inTransaction } from '../../../server/platform/database/transaction.ts'
import type { Random } from '../random.ts'
import { setSkew, setTimeZone, timeZones } from '../virtual-time.ts'
import type { World } from '../world.ts'
import type { Operation } from './operation.ts'

/** A while that lasts as long as the scheduler likes. */
async function pause({ scheduler }: World, random: Random): Promise<void> {
  for (let rounds = 1 + random.below(20); rounds > 0; rounds--) await scheduler.sleep()
}

const mayCrash: Operation['needs'] = ({ faults }) => faults.crashes

/** The database may die while a fault lasts. */
function ignoreLost(error: unknown): void {
  const code = String((error as { code?: unknown }).code)
  if (!/^(55P03|57P|08|CONN|ECONN)/.test(code)) throw error
}

async function freeDisk(world: World): Promise<void> {
  for (;;) {
    const freed = await world.sql`update sim.disk set is_full = false`.then(
      () => true,
      (error: unknown) => ignoreLost(error),
    )
    if (freed) break
    await world.scheduler.sleep()
  }
  world.note('the disk of the database has space')
}

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
    name: 'restore a backup',
    weight: 1,
    needs: mayCrash,
    run: ({ simulation }) => simulation.restoreDatabase(),
  },
  {
    name: 'slow the disk',
    weight: 2,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      simulation.disturbed = true
      simulation.note('the disk of the database is slow: commits wait')
      simulation.scheduler.isDiskSlow = true
      await pause(simulation, random)
      await pause(simulation, random)
      simulation.scheduler.isDiskSlow = false
      simulation.note('the disk of the database is as fast as before')
    },
  },
  {
    name: 'change the time zone',
    weight: 2,
    run: async ({ simulation, random }) => {
      const zone = random.pick(timeZones)
      simulation.note(`the time zone of the nodes' machine becomes ${zone}`)
      setTimeZone(zone)
    },
  },
  {
    name: 'cut the network',
    weight: 2,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      const node = random.pick(simulation.readyNodes())
      if (!node) return
      simulation.disturbed = true
      simulation.note(`${node.name} is cut off from the database`)
      node.wire.cutOff()
      await pause(simulation, random)
      node.wire.rejoin()
      simulation.note(`${node.name} reaches the database again`)
    },
  },
  {
    name: 'hold a lock',
    weight: 2,
    needs: ({ faults: surroundings, model }) => surroundings.crashes && model.cases.length > 0,
    run: async ({ simulation, random, model }) => {
      const { guid } = model.case(random)!
      const table = random.pick(['message', 'job_run', 'case_counter'])
      await inTransaction(simulation.sql, async (tx) => {
        await tx`set local lock_timeout = '50ms'`
        if (random.chance(0.5)) await tx`select from debt_case where id = ${guid} for update`
        else await tx.unsafe(`lock table ${table} in share row exclusive mode`)
        simulation.disturbed = true
        simulation.note(`somebody holds a lock on ${guid} or ${table}`)
        await pause(simulation, random)
      }).catch(ignoreLost)
      simulation.note('the lock is released')
    },
  },
  {
    name: 'stall connections',
    weight: 2,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      const node = random.pick(simulation.readyNodes())
      if (!node) return
      const isQueue = random.chance(0.5)
      const stalled = node.wire.connections.filter(
        ({ application }) => !isQueue || application.includes('jobs'),
      )
      simulation.disturbed = true
      simulation.note(`${node.name}: ${stalled.length} connections stall`)
      for (const connection of stalled) connection.isStalled = true
      await pause(simulation, random)
      for (const connection of stalled) connection.isStalled = false
      simulation.note(`${node.name}: its connections go on`)
    },
  },
  {
    name: 'fill the disk',
    weight: 2,
    needs: mayCrash,
    run: async ({ simulation, random }) => {
      simulation.disturbed = true
      simulation.note('the disk of the database is full')
      await simulation.sql`update sim.disk set is_full = true`.catch(ignoreLost)
      await pause(simulation, random)
      await freeDisk(simulation)
    },
  },
  {
    name: 'look at everything',
    weight: 3,
    run: ({ simulation }) => simulation.check(),
  },
  {
    name: 'move the clock',
    weight: 2,
    run: async ({ simulation, random }) => {
      const seconds = random.pick([60, 600, 3_600])
      simulation.note(`the clock jumps by ${seconds} s`)
      await simulation.scheduler.moveClock(seconds * 1000)
    },
  },
  {
    name: 'set clocks apart',
    weight: 2,
    run: async ({ simulation, random }) => {
      const seconds = random.pick([-120, -2, 2, 120])
      simulation.note(`the clock of the nodes is ${seconds} s from that of the database`)
      setSkew(seconds * 1000)
    },
  },
  {
    name: 'abort an upload',
    weight: 2,
    run: async ({ simulation, random, number }) => {
      const node = random.pick(simulation.readyNodes())
      if (!node) return
      const token = simulation.fixture.tokens.admin
      const head = `POST /api/v1/payment-files?fileName=aborted-${number}.txt HTTP/1.1\r\nhost: node\r\nauthorization: Bearer ${token}\r\ncontent-type: application/octet-stream\r\ncontent-length: 5000\r\n\r\n`
      const socket = connect(Number(new URL(node.server!.address).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`${head}01BGMAX `)
      await pause(simulation, random)
      socket.destroy()
    },
  },
  {
    name: 'start a node',
    weight: 2,
    needs: ({ scheduler, isMoving }) => scheduler.nodes.length < 2 && !isMoving,
    run: async ({ simulation }) => void simulation.startNode(),
  },
]
