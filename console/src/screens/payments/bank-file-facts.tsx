import { formatNumber } from '../../format/format.ts'

/** Counts with their names. */
export function Facts({ facts }: { facts: readonly (readonly [title: string, count: number])[] }) {
  return (
    <dl className="facts" style={{ marginBlockEnd: '0.75rem' }}>
      {facts.map(([title, count]) => (
        <div key={title} style={{ display: 'contents' }}>
          <dt>{title}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
