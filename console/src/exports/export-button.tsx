import { Button, Group, Menu, Progress, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListName } from '../../../client/operations.ts'
import { api } from '../api/client.ts'
import { workbookType, writeWorkbook, type Cell } from '../../../core/spreadsheet/workbook.ts'
import { formatNumber, userCulture } from '../format/format.ts'
import { useLabels } from '../texts/labels.ts'
import { noticeLimit, noticeProblem } from '../widgets/notices.ts'
import { csvStyle, startCsv, writeCsvLine } from './csv.ts'
import { exportColumns, type ExportColumn } from './export-table.ts'
import type { ListField } from '../lists/list-fields.ts'
import { showValue } from '../lists/show-value.ts'
import { saveFile } from '../lists/save-file.ts'
import { ToolButton } from '../lists/tools/tool-button.tsx'

export interface ExportButtonProps {
  operation: ListName
  /** Other parameters of the operation, such as the debtor. */
  input?: object | undefined
  name: string
  columns: readonly string[]
  fields: readonly ListField[]
  filter: string
  sort: string | undefined
  total: number
  /** Only these rows, which were selected. */
  chosen?: readonly object[] | undefined
  /** Small among the actions on selected rows. */
  size?: 'xs'
}

/** The maximum number of rows. Larger exports use the API. */
const rowsMax = 50_000

type Format = 'xlsx' | 'csv'

/** Exports all pages of the filtered rows with the visible columns. Open at first: it is loaded by a press. */
export default function ExportButton(props: ExportButtonProps) {
  const { operation, input, name, columns, fields, filter, sort, total } = props
  const { t } = useTranslation()
  const label = useLabels()
  const [done, setDone] = useState<number | undefined>()
  const [isNew, setIsNew] = useState(true)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const rowCount = props.chosen?.length ?? total
  const readCells = async (table: readonly ExportColumn[], signal: AbortSignal): Promise<Cell[][]> => {
    if (props.chosen)
      return props.chosen.map((row) => table.map((column) => column.cell(row as Record<string, unknown>)))
    const order = { ...(filter && { $filter: filter }), ...(sort && { $orderby: sort }) }
    const cells: Cell[][] = []
    for await (const row of api.callEach(operation, { ...input, ...order }, { signal })) {
      if (cells.length === rowsMax) {
        noticeLimit(t('export.most', { most: formatNumber(rowsMax) }))
        break
      }
      cells.push(table.map((column) => column.cell(row)))
      if (cells.length % 100 === 0) setDone(cells.length)
    }
    return cells
  }
  const start = async (format: Format) => {
    const controller = (running.current = new AbortController())
    setDone(0)
    setIsNew(false)
    try {
      const labelField = (field: ListField) => label(`field.${field.name}`, field.title)
      const words = {
        formatValue: (field: ListField, value: unknown) =>
          showValue(field, value, { yes: t('value.yes'), no: t('value.no') }),
        codeHeading: (heading: string) => t('export.code', { heading }),
      }
      const table = exportColumns(columns, fields, labelField, words)
      const rows = await readCells(table, controller.signal)
      saveFile(await toFile(format, name, table, rows), `${name}.${format}`)
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
          value={rowCount === 0 ? 100 : (100 * done) / Math.min(rowCount, rowsMax)}
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
    <Menu position="bottom-end" defaultOpened={isNew}>
      <Menu.Target>
        <ToolButton
          icon="download"
          autoFocus={isNew}
          disabled={rowCount === 0}
          {...(props.size && { size: props.size })}
        >
          {t(props.size === 'xs' ? 'export.selected' : 'export.title')}
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void start('xlsx')}>{t('export.excel')}</Menu.Item>
        <Menu.Item onClick={() => void start('csv')}>{t('export.csv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function toFile(
  format: Format,
  name: string,
  columns: readonly ExportColumn[],
  rows: Cell[][],
): Promise<Blob> {
  if (format === 'csv') {
    const style = csvStyle(userCulture())
    const headings = columns.map(({ heading }) => heading)
    const lines = [startCsv(headings, style), ...rows.map((row) => writeCsvLine(row, style))]
    return new Blob(lines, { type: 'text/csv;charset=utf-8' })
  }
  const parts: BlobPart[] = []
  for await (const part of writeWorkbook({ name, columns, rows })) parts.push(part as Uint8Array<ArrayBuffer>)
  return new Blob(parts, { type: workbookType })
}
