/** The action of a card: on a telephone its fields are edited in a dialog. */
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../widgets/notices.ts'
import { reloadShown } from './reload-shown.ts'
import type { CardPart } from './use-inline.ts'

const FormDialog = lazy(() =>
  import('../../widgets/form-dialog.tsx').then((widget) => ({ default: widget.FormDialog })),
)

export default function CardEdit({ parts, rowName }: { parts: readonly CardPart[]; rowName: string }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<CardPart>()
  const close = () => setOpened(undefined)
  return (
    <>
      {parts.map((part) => (
        <Button
          key={`${part.form.entity}/${part.form.type}`}
          size="xs"
          variant="default"
          me="xs"
          aria-label={t('inline.edit', { field: part.labels.join(', '), name: rowName })}
          onClick={() => setOpened(part)}
        >
          {parts.length === 1 ? t('action.edit') : `${t('action.edit')}: ${part.labels.join(', ')}`}
        </Button>
      ))}
      {opened && (
        <Suspense fallback={null}>
          <FormDialog
            title={rowName}
            entity={opened.form.entity}
            type={opened.form.type}
            place={{ id: opened.id }}
            main={Object.values(opened.form.cells)}
            onDone={() => {
              close()
              noticeDone(t('form.stored'))
              reloadShown()
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}
