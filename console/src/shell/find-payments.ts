/** Finds the cases that a payment may be for, from a name or reference with the amount behind it: `lindqvist 500`. */
import { api } from '../api/client.ts'
import { formatMoney, userCulture } from '../format/format.ts'
import { readNumber } from '../format/numbers.ts'
import { i18n } from '../texts/languages.ts'
import { findItems, type FoundItem } from './find-items.ts'
import { matchAny } from './find-plans.ts'

/** An item type of the console's own; those of the service end at 9. */
export const paymentType = 11
const foundMax = 6

export interface PaymentText {
  who: string
  amount: number
}

/** A name or reference with a letter in it, a space, and an amount above zero; else undefined. */
export function readPaymentText(text: string, culture = userCulture()): PaymentText | undefined {
  const [, who, digits] = /^(.*\S)\s+(\d\S*)$/.exec(text.trim()) ?? []
  const amount = digits === undefined ? undefined : readNumber(digits, culture)
  if (who === undefined || who.length < 2 || !/\p{L}/u.test(who) || amount === undefined || amount <= 0)
    return undefined
  return { who, amount }
}

/** The open cases of the first debtors and cases that are found, with what remains of each. */
export async function findPayments({ who, amount }: PaymentText, signal: AbortSignal): Promise<FoundItem[]> {
  const items = await findItems(who, signal)
  const listGuids = (type: number) =>
    items
      .filter((item) => item.type === type)
      .slice(0, foundMax)
      .map(({ guid }) => guid)
  const whose = [matchAny('caseGuid', listGuids(1)), matchAny('mainDebtorGuid', listGuids(3))].filter(Boolean)
  if (whose.length === 0) return []
  const { value } = await api.listAllCases(
    { $filter: `closureCode eq null and (${whose.join(' or ')})`, $orderby: 'caseNumber', $top: foundMax },
    { signal },
  )
  return value.map(({ caseGuid, caseNumber, mainDebtorName, remainingSum, currencyCode }) => ({
    guid: caseGuid,
    title: `${formatMoney(amount, currencyCode)} · ${mainDebtorName ?? ''}`,
    about: i18n.t('palette.payment', {
      number: caseNumber,
      remaining: formatMoney(remainingSum, currencyCode),
    }),
    url: `/cases/${caseGuid}?pay=${amount}`,
    type: paymentType,
    icon: 'money',
    matchedOn: 'payment',
  }))
}
