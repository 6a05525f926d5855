import { useQuery } from '@tanstack/react-query'
import { reading } from '../api/queries.ts'
import { formatDateTime } from '../format/format.ts'
import { useMay } from '../session/session.ts'

/** The head of what is printed: the agency and the business date. The heading of the screen follows. */
export function PrintHead() {
  const mayRead = useMay('system.read')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: mayRead, staleTime: 300_000 })
  return (
    <div className="print-only print-head">
      <strong>{data?.body.licensedTo}</strong>
      <span>{formatDateTime(data?.body.systemDate ?? null)}</span>
    </div>
  )
}
