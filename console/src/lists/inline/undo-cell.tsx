/** The notice of a stored cell, with a button that takes the change back. */
import { Button, Group } from '@mantine/core'
import { definitionFields } from '../../forms/definition.ts'
import type { Values } from '../../forms/form-model.ts'
import { loadForm } from '../../forms/server-form.ts'
import { typedValues } from '../../forms/use-sending.ts'
import { changedValues } from '../../forms/values.ts'
import { i18n } from '../../texts/languages.ts'
import { noticeDone, noticeLimit, noticeProblem, noticeWith } from '../../widgets/notices.ts'
import { reloadShown } from './reload-shown.ts'

export interface UndoPlace {
  entity: string
  type: string
  id: string
}
interface StoredCell extends UndoPlace {
  before: Values
  stored: Values
  culture: string
}

export const noticeStored = (cell: StoredCell): void =>
  noticeWith(
    <Group gap="sm" wrap="nowrap">
      {i18n.t('form.stored')}
      <Button size="compact-xs" variant="light" onClick={() => void undo(cell).catch(noticeProblem)}>
        {i18n.t('inline.undo')}
      </Button>
    </Group>,
  )

/** Stores the former values, unless somebody has changed them since. */
async function undo({ entity, type, id, before, stored, culture }: StoredCell): Promise<void> {
  const source = await loadForm(entity, type, { id })
  const fields = definitionFields(source.definition)
  const now = typedValues(fields, source, culture)
  const changed = fields.map(({ code }) => code).filter((code) => before[code] !== stored[code])
  if (changed.some((code) => now[code] !== stored[code])) return noticeLimit(i18n.t('inline.changedSince'))
  const former = { ...now, ...Object.fromEntries(changed.map((code) => [code, before[code]!])) }
  const body = changedValues(fields, now, former, culture)
  await source.submit(body, source.etag === undefined ? {} : { ifMatch: source.etag })
  noticeDone(i18n.t('bulk.undoneOne'))
  reloadShown()
}
