import { Button, Group, Progress, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListName } from '../../../client/methods.ts'
import { api } from '../api/client.ts'
import { formatNumber } from '../format/format.ts'
import { useLabels } from '../texts/labels.ts'
import { Icon } from '../widgets/icons.tsx'
import { noticeProblem } from '../widgets/notices.ts'
import { startCsv, writeCsvLine } from './csv.ts'
import type { ListField } from './list-fields.ts'
import { saveFile } from './save-file.ts'

interface ExportButtonProps {
  operation: ListName
  /** Other parameters of the operation, such as the debtor. */
  input?: object | undefined
  name: string
  columns: readonly string[]
  fields: readonly ListField[]
  filter: string
  sort: string | undefined
  total: number
}

/** The maximum number of rows. Larger exports use the API. */
const rowsMax = 50_000

/** Exports all pages of the filtered rows with the visible columns. */
export function ExportButton(props: ExportButtonProps) {
  const { operation, input, name, columns, fields, filter, sort, total } = props
  const { t } = useTranslation()
  const label = useLabels()
  const [done, setDone] = useState<number | undefined>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = (running.current = new AbortController())
    setDone(0)
    try {
      const titles = columns.map((column) =>
        label(`field.${column}`, fields.find((field) => field.name === column)?.title ?? column),
      )
      const lines = [startCsv(titles)]
      const rows = api.callEach(
        operation,
        { ...input, ...(filter && { $filter: filter }), ...(sort && { $orderby: sort }) },
        { signal: controller.signal },
      )
      for await (const row of rows) {
        lines.push(writeCsvLine(columns.map((column) => row[column])))
        if (lines.length % 100 === 1) setDone(lines.length - 1)
        if (lines.length > rowsMax) {
          notifications.show({ color: 'yellow', message: t('export.most', { most: formatNumber(rowsMax) }) })
          break
        }
      }
      saveFile(new Blob(lines, { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
    } catch (error) {
      if (!controller.signal.aborted) noticeProblem(error)
    } finally {
      setDone(undefined)
    }
  }
  if (done !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Progress
          w={90}
          value={total === 0 ? 100 : (100 * done) / Math.min(total, rowsMax)}
          aria-label={t('export.title')}
        />
        <Text size="xs">{formatNumber(done)}</Text>
        <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
          {t('action.cancel')}
        </Button>
      </Group>
    )
  }
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon name="download" size={15} />}
      disabled={total === 0}
      onClick={() => void start()}
    >
      {t('export.title')}
    </Button>
  )
}
