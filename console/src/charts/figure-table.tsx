import type { ReactNode } from 'react'

interface FigureTableProps {
  /** The first is the heading of the row names. */
  heads: readonly string[]
  rows: readonly { key: string; name: ReactNode; figures: readonly ReactNode[]; isSum?: boolean }[]
}

/** The numbers behind a chart: a name and its figures per row. */
export function FigureTable({ heads, rows }: FigureTableProps) {
  return (
    <>
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th key={at} scope="col" className={at === 0 ? undefined : 'amount'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, figures, isSum }) => (
          <tr key={key} data-sum={isSum || undefined}>
            <th scope="row">{name}</th>
            {figures.map((figure, at) => (
              <td key={at} className="amount">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  )
}
