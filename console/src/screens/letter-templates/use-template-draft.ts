/** What is typed into a template: kept in the browser until it is saved, whatever others save meanwhile. */
import { useState } from 'react'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { draftKey } from '../../forms/drafts.ts'
import { useDraft } from '../../forms/use-draft.ts'
import { useUser } from '../../session/session.ts'

interface Base {
  source: string
  /** The version of the template on which the text is based. */
  etag: string | undefined
}

export function useTemplateDraft(template: LetterTemplate, etag: string | undefined) {
  const { letterTemplateGuid } = template
  const stored: Base = { source: template.source, etag }
  const [base, setBase] = useState(stored)
  const [source, setSource] = useState(template.source)
  const isChanged = source !== base.source
  const isOutdated = base.etag !== etag
  const begin = (next: Base) => {
    setBase(next)
    setSource(next.source)
  }
  if (isOutdated && !isChanged) begin(stored)
  const draft = useDraft({
    key: draftKey(useUser().uniqueId, `letter-template/${letterTemplateGuid}`),
    form: { getValues: () => ({ source }), setValues: (kept) => setSource(String(kept['source'])) },
    initial: { source: base.source },
    etag: base.etag,
    done: false,
  })
  const save = async () => {
    const answer = await api.withAnswer.updateLetterTemplate(
      { letterTemplateGuid, body: { source } },
      base.etag === undefined ? {} : { ifMatch: base.etag },
    )
    queryClient.setQueryData(reading('getLetterTemplate', { letterTemplateGuid }).queryKey, answer)
    begin({ source: answer.body.source, etag: answer.etag })
    await refresh('listLetterTemplates')
  }
  return {
    source,
    setSource,
    draft,
    isChanged,
    isOutdated: isOutdated && isChanged,
    save,
    /** Goes on with the own text, which then replaces what others saved. */
    keepOwn: () => setBase(stored),
    takeStored: () => begin(stored),
  }
}
