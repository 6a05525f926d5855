/** The lookups of cases are the tables of core: no key is missing, none is more, and each has its words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../../contract/platform/languages.ts'
import { allocationOrderCodes, components } from '../../../../core/ledger/allocation.ts'
import * as life from '../../../../core/cases/case-life.ts'
import { claimKinds, interruptions } from '../../../../core/limitation/limitation.ts'
import { rateSeries } from '../../../../core/interest/reference-rates.ts'
import { feeDebtors, feeTypes } from '../../../../core/ledger/statutory-fees.ts'
import * as words from './cases.ts'
import * as claims from './claims.ts'
import type { Enumeration } from './enumeration.ts'
import { closureCode, holdReason } from './holds-and-closures.ts'

const subStatuses = Object.values(life.caseStatuses).flatMap(({ subStatuses: own }) => [...own] as string[])

const tables: [name: string, enumeration: Enumeration, keys: readonly string[]][] = [
  ['service', words.service, life.services],
  ['status', words.caseStatus, life.caseStatusCodes],
  ['subStatus', words.caseSubStatus, subStatuses],
  ['hold', holdReason, life.holds],
  ['closureCode', closureCode, life.closureCodeList],
  ['debtorRole', words.debtorRole, life.debtorRoles],
  ['component', claims.claimComponent, components],
  ['allocationOrder', claims.allocationOrder, allocationOrderCodes],
  ['interruption', words.interruption, interruptions],
  ['claimKind', claims.claimKind, claimKinds],
  ['feeType', claims.feeType, feeTypes],
  ['debtorKind', words.debtorKind, feeDebtors.map((kind) => kind.toUpperCase())],
  ['rateSeries', claims.rateSeries, rateSeries.map(({ code }) => code)],
]

for (const [name, enumeration, keys] of tables) {
  test(`${name} has the keys of its table in core, each in every language`, () => {
    assert.deepEqual(Object.keys(enumeration).toSorted(), [...new Set(keys)].toSorted())
    for (const [key, descriptions] of Object.entries(enumeration)) {
      assert.equal(descriptions.length, languages.length, key)
      for (const description of descriptions) assert.notEqual(description.trim(), '', key)
    }
  })
}

test('each status narrows to its own sub-statuses', () => {
  for (const [status, { subStatuses: own }] of Object.entries(life.caseStatuses))
    assert.deepEqual(words.subStatusesOf[status], own)
})
