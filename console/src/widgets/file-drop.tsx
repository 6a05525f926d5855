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

/** What makes an element a place to drop files. It is marked while files are over it. */
export function useDropArea(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      onFiles([...event.dataTransfer.files])
    },
  }
}

/** A place to drop a file, with a button to choose one. */
export function FileDrop({ label, about, accept, busy, onFile }: FileDropProps) {
  const area = useDropArea(([file]) => {
    if (file && !busy) onFile(file)
  })
  return (
    <div className="file-drop" {...area}>
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
