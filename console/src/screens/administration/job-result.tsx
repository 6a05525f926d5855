import { Modal, Stack, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { capitalise, translateLabel } from '../../texts/labels.ts'
import { jobValues } from './job-values.data.ts'

type Values = Record<string, unknown>
const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is Values[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

const named: ReadonlySet<string> = new Set(jobValues)

/** Its own name, that of a command, or that of a record's member; else its words: `fee units`. */
function title(name: string): string {
  if (named.has(name)) return translateLabel(`job.value.${name}`, name)
  const words = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, before: string, next: string) => `${before} ${next.toLowerCase()}`,
  )
  return translateLabel(
    [`lookup.command.${name}`, `field.${name}`],
    capitalise(/^[a-z-]+$/.test(words) ? words.replaceAll('-', ' ') : words),
  )
}

function showCell(value: unknown, words: { yes: string; no: string }): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value)) return value.map((one) => showCell(one, words)).join(', ')
  if (!isRecord(value))
    return /^\d{4}-\d\d-\d\d(T|$)/.test(String(value)) ? formatDateTime(String(value)) : String(value)
  return Object.entries(value)
    .map(([name, one]) => `${title(name)}: ${showCell(one, words)}`)
    .join(', ')
}

interface JobResultProps {
  name: string
  result: Values
  onClose: () => void
}

/** What a job answers, whatever its members: values by name, lists of records as tables. */
export function JobResult({ name, result, onClose }: JobResultProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('job.resultThis', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Members values={result} />
    </Modal>
  )
}

function Members({ values }: { values: Values }) {
  const { t } = useTranslation()
  const words = { yes: t('value.yes'), no: t('value.no') }
  const entries = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const plain = entries.filter(([, value]) => !isTable(value) && !isRecord(value))
  return (
    <Stack gap="md">
      {plain.length > 0 && (
        <dl className="facts">
          {plain.map(([name, value]) => (
            <Fact key={name} name={title(name)} text={showCell(value, words)} />
          ))}
        </dl>
      )}
      {entries.map(([name, value]) =>
        isTable(value) ? (
          <RowTable key={name} name={name} rows={value} words={words} />
        ) : isRecord(value) && Object.keys(value).length > 0 ? (
          <section key={name}>
            <Title order={3} mb="xs">
              {title(name)}
            </Title>
            <Members values={value} />
          </section>
        ) : null,
      )}
    </Stack>
  )
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </>
)

interface RowTableProps {
  name: string
  rows: readonly Values[]
  words: { yes: string; no: string }
}

function RowTable({ name, rows, words }: RowTableProps) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <section>
      <Title order={3} mb="xs">
        {title(name)}
      </Title>
      <div style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={title(name)}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{title(column)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((column) => (
                  <Table.Td key={column}>
                    <Text size="sm">{showCell(row[column], words)}</Text>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}
