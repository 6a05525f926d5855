import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedStrategies } from '../../../../../core/cases/strategies.ts'
import type { StrategyStepInput } from '../../../../../contract/collection/strategies.ts'
import { listPlaces } from './flow-places.ts'

const nordic = shippedStrategies.find(({ code }) => code === 'NORDIC')!.steps as StrategyStepInput[]

const step = (code: string, status: string, to?: string, subStatus?: string): StrategyStepInput => {
  const [next, nextSub] = to?.split('/') ?? []
  return {
    code,
    status,
    afterDays: 0,
    ...(subStatus && { subStatus }),
    actions: to
      ? [{ kind: 'status', status: next, subStatus: nextSub }]
      : [{ kind: 'letter', letter: 'reminder' }],
  }
}

test('each place of the shipped strategy stands above those to which its steps lead', () => {
  const places = listPlaces(nordic)
  assert.deepEqual(
    places.map(({ key, isEntry, steps }) => [key, isEntry, steps.length]),
    [
      ['NEW/REGISTERED', true, 5],
      ['PRECOLLECTION/REMINDER_SENT', false, 2],
      ['AMICABLE/DEMAND_SENT', false, 1],
      ['AMICABLE/DEMAND_EXPIRED', false, 4],
      ['ENFORCEMENT/NO_ASSETS', true, 1],
      ['SURVEILLANCE/DORMANT', false, 1],
      ['SURVEILLANCE/REACTIVATION_CHECK', false, 0],
    ],
  )
  const order = places.map(({ key }) => key)
  for (const { key, steps } of places)
    for (const target of steps.flatMap(({ leadsTo }) => leadsTo))
      assert.ok(order.indexOf(target) > order.indexOf(key), `${key} above ${target}`)
  const indexes = places.flatMap(({ steps }) => steps.map(({ index }) => index))
  assert.deepEqual(
    indexes.toSorted((a, b) => a - b),
    [...nordic.keys()],
  )
})

test('a step for any sub-status takes cases that come with one of them', () => {
  const places = listPlaces([step('A', 'NEW', 'AMICABLE/DEMAND_SENT'), step('B', 'AMICABLE')])
  assert.deepEqual(
    places.map(({ key, steps }) => [key, steps.map(({ leadsTo }) => leadsTo)]),
    [
      ['NEW/*', [['AMICABLE/*']]],
      ['AMICABLE/*', [[]]],
    ],
  )
})

test('a circle has all of its places, in the order of the strategy, and a step back to its own place stays', () => {
  const places = listPlaces([
    step('A', 'NEW', 'AMICABLE/DEMAND_SENT', 'REGISTERED'),
    step('B', 'AMICABLE', 'NEW/REGISTERED', 'DEMAND_SENT'),
    step('C', 'NEW', 'NEW/REGISTERED', 'REGISTERED'),
  ])
  assert.deepEqual(
    places.map(({ key, isEntry }) => [key, isEntry]),
    [
      ['NEW/REGISTERED', false],
      ['AMICABLE/DEMAND_SENT', false],
    ],
  )
  assert.deepEqual(
    places[0]!.steps.map(({ leadsTo }) => leadsTo),
    [['AMICABLE/DEMAND_SENT'], []],
  )
})
