import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { refreshCase } from './case-changes.ts'

/** The claims of a case, which can be credited. */
export function InvoicePanel({ record, isPast }: { record: CaseByGuid | undefined; isPast?: boolean }) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write') && !isPast && record?.status !== 'CLOSED'
  const [crediting, setCrediting] = useState<string>()
  return (
    <Panel title={t('invoices.title')}>
      {!record && <LinesSkeleton lines={3} />}
      {record?.invoices.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('invoices.none')}
        </Text>
      )}
      {record && record.invoices.length > 0 && (
        <TableFrame title={t('invoices.title')}>
          <thead>
            <tr>
              <th scope="col">{t('field.invoiceNumber')}</th>
              <th scope="col">{t('field.invoiceDate')}</th>
              <th scope="col">{t('field.dueDate')}</th>
              <th scope="col" className="amount">
                {t('field.principal')}
              </th>
              {mayWrite && (
                <th>
                  <span className="visually-hidden">{t('list.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {record.invoices.map((invoice) => (
              <tr key={invoice.invoiceGuid}>
                <td title={invoice.description ?? undefined}>{invoice.invoiceNumber ?? '–'}</td>
                <td>{formatDateTime(invoice.invoiceDate)}</td>
                <td>{formatDateTime(invoice.dueDate)}</td>
                <td className="amount">{formatMoney(invoice.principal, record.currencyCode)}</td>
                {mayWrite && (
                  <td style={{ textAlign: 'end' }}>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={t('invoices.creditThis', { number: invoice.invoiceNumber ?? '' })}
                      onClick={() => setCrediting(invoice.invoiceGuid)}
                    >
                      {t('invoices.credit')}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      {crediting && (
        <FormDialog
          title={t('invoices.creditNote')}
          entity="invoice"
          type="credit"
          place={{ id: crediting }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refreshCase()
            setCrediting(undefined)
          }}
          onClose={() => setCrediting(undefined)}
        />
      )}
    </Panel>
  )
}
