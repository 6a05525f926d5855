/** Trials of strategies: begun, looked at and ended while cases are registered. */
import type { TrialResults } from '../../../contract/collection/trials.ts'
import { strategyCodes } from '../laboratory.ts'
import { isDone, readText, type Operation } from './operation.ts'

const [champion, ...rivals] = strategyCodes

export const trials: Operation[] = [
  {
    name: 'begin trial',
    weight: 3,
    run: async ({ client, model, random, simulation, number }) => {
      const challengers = rivals
        .slice(0, 1 + random.below(rivals.length))
        .map((strategy) => ({ strategy, share: random.pick([10, 25, 40]) }))
      const made = await client.send('createTrial', '/trials', {
        method: 'POST',
        body: {
          name: `Trial ${number}`,
          ...(random.chance(0.4) && { clientGuid: simulation.fixture.clients.open }),
          champion,
          challengers,
          outcomeDays: 1 + random.below(10),
          highestAmount: random.pick([50, 400]),
          currencyCode: 'SEK',
          plannedCases: 100,
        },
        audited: 'always',
      })
      if (!isDone(made)) return
      const guid = readText(made, 'trialGuid')
      model.trials.push(guid)
      await client.send('startTrial', `/trials/${guid}/start`, { method: 'POST', audited: 'always' })
    },
  },
  {
    name: 'look at a trial',
    weight: 4,
    needs: ({ model }) => model.trials.length > 0,
    run: async ({ client, model, random }) => {
      const guid = random.pick(model.trials)
      const answer = await client.send('getTrialResults', `/trials/${guid}/results`)
      if (answer && isDone(answer))
        model.looks.push({ guid, results: answer.body as unknown as TrialResults })
    },
  },
  {
    name: 'end trial',
    weight: 1,
    needs: ({ model }) => model.trials.length > 0,
    run: async ({ client, model, random }) => {
      await client.send('stopTrial', `/trials/${random.pick(model.trials)}/stop`, {
        method: 'POST',
        audited: 'always',
      })
    },
  },
]
