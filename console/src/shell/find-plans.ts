/** Finds payment plans through their debtors and cases, because a plan has no name or number to search. */
import { api } from '../api/client.ts'
import { formatDateTime } from '../format/format.ts'
import { translateLabel } from '../texts/labels.ts'
import { i18n } from '../texts/languages.ts'
import type { FoundItem } from './find-items.ts'

/** An item type of the console's own; those of the service end at 9. */
export const planType = 10
const foundMax = 6

/** A condition that is true for any of the guids. */
export const matchAny = (member: string, guids: readonly string[]) =>
  guids.map((guid) => `${member} eq ${guid}`).join(' or ')

/** Active plans, then proposals, then ended plans. */
const rank = (active: number) => [2, 0, 1][active] ?? 2

/** The plans of the debtors and cases among the first items. */
export async function findPlans(items: readonly FoundItem[], signal: AbortSignal): Promise<FoundItem[]> {
  const first = (type: number) =>
    items
      .filter((item) => item.type === type)
      .slice(0, foundMax)
      .map(({ guid }) => guid)
  const [cases, debtors] = [first(1), first(3)]
  if (cases.length > 0) {
    const { value } = await api.listAllCases(
      { $filter: matchAny('caseGuid', cases), $top: foundMax },
      { signal },
    )
    for (const { mainDebtorGuid } of value) if (mainDebtorGuid) debtors.push(mainDebtorGuid)
  }
  const whose = [...new Set(debtors)]
  if (whose.length === 0) return []
  const { value } = await api.listAllPlans(
    { $filter: matchAny('debtorGuid', whose), $orderby: 'startDate desc', $top: foundMax },
    { signal },
  )
  return value
    .toSorted((a, b) => rank(a.active) - rank(b.active))
    .map((plan) => ({
      guid: plan.paymentPlanGuid,
      title: plan.debtorName ?? '',
      about: i18n.t('palette.plan', {
        date: formatDateTime(plan.startDate),
        state: translateLabel(
          plan.endReason ? `plan.state.${plan.endReason}` : `lookup.paymentplanactive.${plan.active}`,
          '',
        ),
      }),
      url: `/plans/${plan.paymentPlanGuid}`,
      type: planType,
      icon: 'calendar',
      matchedOn: 'plan',
    }))
}
