/** The rows of a list that a filter matches, as a condition. */
import { compileFilter } from '../../odata/filter.ts'
import type { Properties } from '../../odata/properties.ts'
import type { Scope } from '../row-scope.ts'
import type { Parameter } from '../statement.ts'
import type { ListSource } from './list-source.ts'
import { writeTables } from './listing.ts'

export const withCustomFields = (
  { properties }: ListSource,
  customFields: Properties | undefined,
): Properties => (customFields?.size ? new Map([...properties, ...customFields]) : properties)

export const compileRows = (
  properties: Properties,
  filter: string | null | undefined,
  { firstParameter, today }: { firstParameter: number; today: string },
) =>
  filter?.trim()
    ? compileFilter(properties, filter, {
        collation: 'fordra_order',
        firstParameter,
        now: `${today}T${new Date().toISOString().slice(11)}`,
      })
    : undefined

/** The visible rows of a list that a filter matches, for a statement whose own parameters come first. */
export interface MatchingRows {
  tables: string
  where: string
  parameters: readonly Parameter[]
}

/** @param firstParameter the number of the condition's first parameter. */
export function writeMatching<E extends string>(
  source: ListSource<E>,
  visible: Scope<NoInfer<E>>,
  filter: string | null | undefined,
  {
    today,
    customFields,
    firstParameter,
  }: { today: string; customFields?: Properties | undefined; firstParameter: number },
): MatchingRows {
  const scope = visible.at(firstParameter)
  const compiled = compileRows(withCustomFields(source, customFields), filter, {
    firstParameter: firstParameter + scope.parameters.length,
    today,
  })
  return {
    tables: writeTables(source),
    where: compiled ? `${scope.text} and (${compiled.text})` : scope.text,
    parameters: [...scope.parameters, ...(compiled?.parameters ?? [])],
  }
}
