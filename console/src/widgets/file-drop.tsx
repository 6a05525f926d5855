import { Button, FileButton, Stack, Text } from '@mantine/core'
import { useState, type DragEvent } from 'react'
import { Icon } from './icons.tsx'

interface FileDropProps {
  /** The label of the button. */
  label: string
  /** A line below it. */
  about: string
  accept: string
  busy: boolean
  onFile: (file: File) => void
}

/** A place to drop a file, with a button to choose one. */
export function FileDrop({ label, about, accept, busy, onFile }: FileDropProps) {
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onFile(file)
  }
  return (
    <div
      className="file-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="xs">
        <FileButton
          accept={accept}
          onChange={(file) => file && onFile(file)}
          inputProps={{ 'aria-label': label }}
        >
          {(props) => (
            <Button {...props} data-main-action loading={busy} leftSection={<Icon name="upload" size={16} />}>
              {label}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" ta="center">
          {about}
        </Text>
      </Stack>
    </div>
  )
}
