import { ActionIcon, CopyButton, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from './icons.tsx'

/** A text with a button that copies it and confirms that. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap="xs">
        <Text fw={600} className="code">
          {text}
        </Text>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color={copied ? 'teal' : 'gray'}
              aria-label={copied ? t('copy.done') : t('copy.copy', { name: label })}
              onClick={copy}
            >
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
