import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import type { CasePermissions } from '../../../../contract/cases/permissions.ts'
import { reading } from '../../api/queries.ts'
import type { FormSource } from '../../forms/definition.ts'
import { formatMoney, textCulture } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'

/** The fees of the case's country and client: first those that may be charged today, with their highest amount. */
export function useFeeChoices(
  { mainDebtorGuid, caseGuid }: CaseByGuid,
  enabled: boolean,
): FormSource['choices'] {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...reading('getCasePermissions', { debtorGuid: mainDebtorGuid, caseGuid, culture: textCulture() }),
    enabled,
  })
  return useMemo(() => data && { feeType: listFees(data.body, t) }, [data, t])
}

const listFees = ({ actions, currencyCode }: CasePermissions, t: TFunction) =>
  actions
    .filter(({ action }) => action.startsWith('fee:'))
    .toSorted((one, other) => Number(other.allowed) - Number(one.allowed))
    .map(({ action, allowed, highest }) => {
      const key = action.slice('fee:'.length)
      const fee = translateLabel(`lookup.feetype.${key}`, key)
      if (!allowed) return { key, text: t('case.feeNotNow', { fee }) }
      if (highest === null) return { key, text: fee }
      return { key, text: t('case.feeAtMost', { fee, amount: formatMoney(highest, currencyCode) }) }
    })
