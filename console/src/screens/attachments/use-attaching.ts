import { useEffect, useRef, useState } from 'react'
import { FileSender, type AttachmentPlace } from './file-sender.ts'

/** Files for a case or a debtor, sent as soon as they are chosen. As drafts they wait for a note or a call. */
export function useAttaching(
  about: AttachmentPlace,
  settings: { draft: boolean; onSent?: () => void },
): FileSender {
  const [sender] = useState(() => new FileSender({ about, ...settings }))
  const place = 'caseGuid' in about ? about.caseGuid : about.debtorGuid
  const former = useRef(place)
  useEffect(() => {
    if (former.current === place) return
    former.current = place
    sender.moveTo(about)
    // Another object for the same place is no other place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [place, sender])
  return sender
}
