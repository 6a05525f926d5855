import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Report } from '../../../../contract/insight/reports.ts'
import { formatAmount, formatNumber } from '../../format/format.ts'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { rowText } from './report-figures.ts'

/** More rows than useful on a screen; the files have all. */
const rowsMax = 400

type Column = Report['columns'][number]
type Row = Report['rows'][number]

/** A report's rows, with totals per currency below. */
export function ReportTable({ report, title }: { report: Report; title: string }) {
  const { t } = useTranslation()
  const { columns, rows, totals } = report
  const texts = columns.filter(({ kind }) => kind === 'text')
  return (
    <>
      {rows.length > rowsMax && (
        <Text size="xs" c="dimmed" mb="xs">
          {t('report.most', { most: formatNumber(rowsMax), all: formatNumber(rows.length) })}
        </Text>
      )}
      <div className="report-table">
        <TableFrame title={title}>
          <thead>
            <tr>
              {columns.map(({ code, title: name, kind }) => (
                <th key={code} scope="col" className={kind === 'text' ? undefined : 'amount'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowsMax).map((row, index) => (
              // A client's name may occur twice, and a row has no key of its own.
              <tr key={index}>
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th key={column.code} scope="row">
                      {show(column, row)}
                    </th>
                  ) : (
                    <Cell key={column.code} column={column} row={row} />
                  ),
                )}
              </tr>
            ))}
            {totals.map((total) => (
              <tr key={String(total['currencyCode'])} data-sum>
                <th scope="row" colSpan={texts.length}>
                  {t('report.total', { currency: String(total['currencyCode']) })}
                </th>
                {columns
                  .filter(({ kind }) => kind !== 'text')
                  .map((column) => (
                    <Cell key={column.code} column={column} row={total} />
                  ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </div>
    </>
  )
}

const Cell = ({ column, row }: { column: Column; row: Row }) => (
  <td className={column.kind === 'text' ? undefined : 'amount'}>{show(column, row)}</td>
)

function show({ code, kind }: Column, row: Row): string {
  const value = row[code] ?? null
  if (value === null) return ''
  if (typeof value === 'string') return rowText(code, value)
  return kind === 'money' ? formatAmount(value, String(row['currencyCode'])) : formatNumber(value)
}
