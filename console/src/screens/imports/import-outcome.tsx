import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { api } from '../../api/client.ts'
import { cellFaultMessage, errorMessage } from '../../forms/fault-message.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { saveBytes } from '../../lists/save-file.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import type { BarredClaim, ImportOutcome } from './import-work.ts'

/** What the import would do: counts, and the first reasons in words. */
export function CheckedFile({
  fields,
  outcome,
}: {
  fields: FileInspection['fields']
  outcome: ImportOutcome
}) {
  const { t } = useTranslation()
  const shown = outcome.firstRejections
  return (
    <Panel title={t('import.checked')}>
      <div ref={scrollHere}>
        <Counts outcome={outcome} willBe />
      </div>
      <BarredClaims claims={outcome.firstBarred} />
      {shown.length > 0 && (
        <TableFrame title={t('import.reasons')}>
          <thead>
            <tr>
              <th scope="col">{t('import.line')}</th>
              <th scope="col">{t('import.field')}</th>
              <th scope="col">{t('import.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, field, reason, cell }) => (
              <tr key={`${line} ${field} ${reason}`}>
                <td>{formatNumber(line)}</td>
                <td>{fields.find(({ name }) => name === field)?.label ?? field}</td>
                <td style={{ whiteSpace: 'normal', maxWidth: 'none' }}>
                  {cell ? cellFaultMessage(cell) : errorMessage([reason])}
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </Panel>
  )
}

/** Claims that are time-barred. They go in all the same; nothing of them is demanded. */
function BarredClaims({ claims }: { claims: readonly BarredClaim[] }) {
  const { t } = useTranslation()
  if (claims.length === 0) return null
  return (
    <>
      <Text size="sm" mb="sm">
        {t('import.barredAbout')}
      </Text>
      <TableFrame title={t('import.barred')}>
        <thead>
          <tr>
            <th scope="col">{t('import.line')}</th>
            <th scope="col">{t('import.reference')}</th>
            <th scope="col">{t('import.barredOn')}</th>
          </tr>
        </thead>
        <tbody>
          {claims.map(({ line, sourceReference, barredOn }) => (
            <tr key={line}>
              <td>{formatNumber(line)}</td>
              <td>{sourceReference ?? '–'}</td>
              <td>{formatDateTime(`${barredOn}T00:00:00Z`)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </>
  )
}

/** The result comes below what was asked, and may be out of sight. */
const scrollHere = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

function Counts({ outcome, willBe = false }: { outcome: ImportOutcome; willBe?: boolean }) {
  const { t } = useTranslation()
  const { rows, inserted, alreadyThere, rejected, barred } = outcome
  const counts = [
    [t('import.rows'), rows],
    [willBe ? t('import.willInsert') : t('import.inserted'), inserted],
    ...(barred > 0 ? ([[t('import.barred'), barred]] as const) : []),
    [t('import.alreadyThere'), alreadyThere],
    [willBe ? t('import.willReject') : t('import.rejectedCount'), rejected],
  ] as const
  return (
    <dl className="facts" style={{ marginBlockEnd: '0.75rem' }}>
      {counts.map(([title, count]) => (
        <div key={title} style={{ display: 'contents' }}>
          <dt>{title}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

const listPages: Partial<Record<ImportedKind, string>> = {
  parties: '/clients',
  users: '/users',
  debtors: '/debtors',
  cases: '/cases',
  payments: '/payments',
  plans: '/plans',
}

interface ImportedFileProps {
  name: string
  what: ImportedKind
  fileGuid: string
  outcome: ImportOutcome
  onAnother: () => void
}

/** What became of the file, with its rejected rows to correct. */
export function ImportedFile({ name, what, fileGuid, outcome, onAnother }: ImportedFileProps) {
  const { t } = useTranslation()
  const page = listPages[what]
  const saveRejected = () =>
    void api
      .getRejectedRows({ fileGuid, rows: true })
      .then((rows) => saveBytes(rows, 'text/csv;charset=utf-8', `${name.replace(/\.\w+$/, '')}-rejected.csv`))
      .catch(noticeProblem)
  return (
    <Panel title={t('import.done')}>
      <Text size="sm" mb="sm" role="status">
        {name}
      </Text>
      <Counts outcome={outcome} />
      <BarredClaims claims={outcome.firstBarred} />
      {outcome.rejected > 0 && (
        <Text size="sm" mb="sm">
          {t('import.rejectedAbout')}
        </Text>
      )}
      <Group>
        {outcome.rejected > 0 && (
          <Button data-main-action leftSection={<Icon name="download" size={15} />} onClick={saveRejected}>
            {t('import.rejected')}
          </Button>
        )}
        {page !== undefined && (
          <Button variant="default" component={Link} to={page}>
            {t('import.show')}
          </Button>
        )}
        <Button variant="default" onClick={onAnother}>
          {t('import.another')}
        </Button>
      </Group>
    </Panel>
  )
}
