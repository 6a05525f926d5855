/** The same scenarios on two databases of different sizes in turns, the product alone. */
import { chooseDriver } from '../drive/drive.ts'
import type { BenchOptions } from '../options.ts'
import { scenarios, sizeScenarios } from './scenarios.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { openSupply } from '../load/supply.ts'
import { targetConnections, type SizeResult } from '../report/table.ts'

export async function compareSizes(
  urls: { smaller: string; larger: string },
  options: BenchOptions & { folder: string; report: (line: string) => void },
): Promise<SizeResult[]> {
  const { folder, seconds, rounds, report } = options
  const driver = chooseDriver(folder)
  const servers = [
    await startProduct({ url: urls.smaller, folder }),
    await startProduct({ url: urls.larger, folder }),
  ]
  const supplies = [await openSupply(urls.smaller, 0), await openSupply(urls.larger, 0)]
  const results: SizeResult[] = []
  try {
    for (const name of sizeScenarios) {
      report(`  ${name} on both sizes`)
      const scenario = scenarios.find((each) => each.name === name)!
      const tokens = await Promise.all(servers.map(({ address }) => signIn(address)))
      const drive = (side: 0 | 1, length: number) =>
        driver.drive({
          address: servers[side]!.address,
          headers: { authorization: `Bearer ${tokens[side]!}` },
          requests: scenario.product(supplies[side]!, 1),
          connections: targetConnections,
          seconds: length,
        })
      const rates: [number[], number[]] = [[], []]
      for (const side of [0, 1] as const) await drive(side, 1)
      for (let round = 0; round < rounds; round++) {
        for (const side of [0, 1] as const) rates[side].push((await drive(side, seconds)).rate)
      }
      const [usual, larger] = [computeMedian(rates[0]), computeMedian(rates[1])]
      results.push({ scenario: name, usual, larger, slowdown: computeMedianRatio(rates[0], rates[1])! })
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  return results
}
