import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '../../format/format.ts'
import type { ListField } from '../list-fields.ts'
import type { CurrencySum } from './use-sums.ts'

interface SumRowsProps {
  /** The columns of the table. */
  fields: readonly ListField[]
  sums: readonly CurrencySum[]
  /** Whether a column for selecting comes before them, and one for actions after them. */
  isSelectable: boolean
  hasActions: boolean
}

/** The foot of a table: under each amount its sum over all matching rows, with a row for each currency. */
export function SumRows({ fields, sums, isSelectable, hasActions }: SumRowsProps) {
  const { t } = useTranslation()
  const [{ amounts }] = sums as [CurrencySum]
  const first = fields.findIndex(({ name }) => name in amounts)
  const before = isSelectable ? 1 : 0
  const title = ({ currencyCode, count }: CurrencySum) =>
    t('list.sum', { count, rows: formatNumber(count), currency: currencyCode ?? '–' })
  return (
    <tfoot>
      {sums.map((sum) => [
        // Without a column before the first amount, the title is a row of its own.
        first === 0 && (
          <tr key={`${sum.currencyCode} title`} data-sum>
            <th scope="rowgroup" colSpan={before + fields.length + (hasActions ? 1 : 0)}>
              {title(sum)}
            </th>
          </tr>
        ),
        <tr key={sum.currencyCode} data-sum>
          {first > 0 ? (
            <th scope="row" colSpan={before + first}>
              {title(sum)}
            </th>
          ) : (
            isSelectable && <td className="select" />
          )}
          {fields.slice(first).map(({ name }) => (
            <td key={name} className={name in sum.amounts ? 'amount' : undefined}>
              {name in sum.amounts ? formatMoney(sum.amounts[name]!, sum.currencyCode) : ''}
            </td>
          ))}
          {hasActions && <td />}
        </tr>,
      ])}
    </tfoot>
  )
}
