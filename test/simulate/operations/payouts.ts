/** Payouts of collected money to the clients, and the file that the bank is given. */
import { toMinor } from '../../../core/money/money.ts'
import type { PayoutBatchDetail } from '../../../contract/treasury/payouts.ts'
import { isDone, readText, type Operation, type Run } from './operation.ts'

const minor = (amount: number | string) => toMinor(Number(amount), 'SEK')
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)

/** The file pays each client what the payout says, and the payout is the sum of its lines. */
async function checkFile({ client, simulation }: Run, guid: string): Promise<void> {
  const shown = await client.send('getPayout', `/payouts/${guid}`)
  const file = await client.send('getPayoutFile', `/payouts/${guid}/file`)
  if (!shown || !isDone(shown) || !file || !isDone(file)) return
  const { amount, lines } = shown.body as unknown as PayoutBatchDetail
  const transfers = [...file.text.matchAll(/<InstdAmt[^>]*>([\d.]+)</g)].map(([, text]) => minor(text!))
  const paid = lines.map((line) => minor(line.amount))
  if (String(transfers) !== String(paid))
    simulation.fail(`The payout ${guid} pays ${paid.join(' ')}, and its file ${transfers.join(' ')} (öre).`)
  if (sum(paid) !== minor(amount))
    simulation.fail(`The payout ${guid} is of ${amount}, and its lines sum to ${sum(paid)} öre.`)
}

export const payouts: Operation[] = [
  {
    name: 'payout',
    weight: 4,
    needs: ({ model }) => model.payments.length > 0,
    run: async (run) => {
      const { client, model, random } = run
      const body = { currencyCode: 'SEK' }
      const made = await client.send('createPayout', '/payouts', {
        method: 'POST',
        body,
        unkeyed: random.chance(0.4),
        audited: 'always',
      })
      if (!isDone(made)) return
      const guid = readText(made, 'payoutBatchGuid')
      model.payouts.push(guid)
      await checkFile(run, guid)
    },
  },
]
