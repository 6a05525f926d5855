import { ActionIcon, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { attachmentTypes } from '../../../../contract/metadata/attachments.ts'
import { formatNumber } from '../../format/format.ts'
import { useDropArea } from '../../widgets/file-drop.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { useStore } from '../../store.ts'
import type { FileSender, SentFile } from './file-sender.ts'

const accept = Object.keys(attachmentTypes)
  .map((ending) => `.${ending}`)
  .join(',')

/** A place to drop files, with a button to choose some, and what is being sent. */
export function AttachZone({ attaching }: { attaching: FileSender }) {
  const { t } = useTranslation()
  const files = useStore(attaching.files)
  const area = useDropArea((dropped) => attaching.add(dropped))
  return (
    <div className="file-drop attach-zone" {...area}>
      <Group gap="sm">
        <FileButton
          multiple
          accept={accept}
          onChange={(chosen) => attaching.add(chosen)}
          inputProps={{ 'aria-label': t('attachments.choose') }}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<Icon name="upload" size={14} />}>
              {t('attachments.choose')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t('attachments.drop')}
        </Text>
      </Group>
      {files.length > 0 && (
        <Stack gap="xs" mt="sm" role="status">
          {files.map((one) => (
            <SentLine key={one.key} sent={one} attaching={attaching} />
          ))}
        </Stack>
      )}
    </div>
  )
}

function SentLine({ sent, attaching }: { sent: SentFile; attaching: FileSender }) {
  const { t } = useTranslation()
  const { file, share, fault, attachmentGuid } = sent
  return (
    <div>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {file.name}
          <Text span c="dimmed" size="xs" ml={6}>
            {formatBytes(file.size)}
          </Text>
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('attachments.removeThis', { name: file.name })}
          onClick={() => attaching.remove(sent)}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      </Group>
      {fault !== undefined && (
        <Group gap="xs" align="baseline">
          <Text size="xs" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
            {fault}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={() => attaching.retry(sent)}>
            {t('action.tryAgain')}
          </Button>
        </Group>
      )}
      {fault === undefined && attachmentGuid === undefined && (
        <Progress
          value={100 * share}
          size="sm"
          aria-label={t('attachments.sending', { name: file.name, percent: formatNumber(100 * share, 0) })}
        />
      )}
    </div>
  )
}

/** `12 kB` or `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const isLarge = bytes >= 1_000_000
  const size = isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1000)
  return `${formatNumber(size, isLarge ? 1 : 0)} ${isLarge ? 'MB' : 'kB'}`
}
