import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import { reading } from '../../api/queries.ts'
import type { LookupValue } from '../../forms/definition.ts'
import { formatMoney, textCulture } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'

/** The fees of the case's country and client: first those that may be charged today, with their highest amount. */
export function useFeeChoices(
  { mainDebtorGuid, caseGuid }: CaseByGuid,
  enabled: boolean,
): readonly LookupValue[] | undefined {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...reading('getCasePermissions', { debtorGuid: mainDebtorGuid, caseGuid, culture: textCulture() }),
    enabled,
  })
  if (!data) return undefined
  const { actions, currencyCode } = data.body
  const fees = actions.filter(({ action }) => action.startsWith('fee:'))
  return fees
    .toSorted((one, other) => Number(other.allowed) - Number(one.allowed))
    .map(({ action, allowed, highest }) => {
      const key = action.slice('fee:'.length)
      const name = translateLabel(`lookup.feetype.${key}`, key)
      if (!allowed) return { key, text: t('case.feeNotNow', { fee: name }) }
      return {
        key,
        text:
          highest === null
            ? name
            : t('case.feeAtMost', { fee: name, amount: formatMoney(highest, currencyCode) }),
      }
    })
}
