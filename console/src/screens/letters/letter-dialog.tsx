import { Button, Group, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Document } from '../../../../contract/collection/documents.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { saveBytes } from '../../lists/save-file.ts'
import { Icon } from '../../widgets/icons.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { LetterPages } from './letter-image.tsx'

/** A letter that was written, as it is printed. */
export function LetterDialog({ letter, onClose }: { letter: Document; onClose: () => void }) {
  const { t } = useTranslation()
  const { documentGuid, title } = letter
  const { data, error } = useQuery(reading('getDocumentImage', { documentGuid }))
  const work = useWork()
  const download = async () => {
    saveBytes(await api.getDocument({ documentGuid }), 'application/pdf', `${documentGuid}.pdf`)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xl"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <LetterPages letter={data?.body} error={error} />
        <ProblemAlert error={work.error} />
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            loading={work.busy}
            onClick={() => void work.run(download)}
          >
            {t('letters.pdf')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
