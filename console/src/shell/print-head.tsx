import { useSystemInformation } from '../api/business-date.ts'
import { formatDateTime } from '../format/format.ts'

/** The head of what is printed: the agency and the business date. The heading of the screen follows. */
export function PrintHead() {
  const information = useSystemInformation()
  return (
    <div className="print-only print-head">
      <strong>{information?.licensedTo}</strong>
      <span>{formatDateTime(information?.systemDate ?? null)}</span>
    </div>
  )
}
