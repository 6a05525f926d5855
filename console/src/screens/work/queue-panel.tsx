import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { WorkQueue } from '../../../../contract/work/work.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import type { WorkSearch } from './work-search.ts'

const isMember = (member: string, guid: string | null) =>
  `${member} eq ${guid === null ? 'null' : `'${guid}'`}`

/** The due work of a queue, in the list above. */
const toQueue = ({ ownerGuid, teamGuid }: WorkQueue): WorkSearch => ({
  whose: 'all',
  filter: `${isMember('ownerGuid', ownerGuid)} and ${isMember('teamGuid', teamGuid)}`,
})

/** The due work by team and handler, with its age and value. */
export function QueuePanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('getWorkQueues'))
  const queues = data?.body.queues
  return (
    <Panel title={t('work.queues')}>
      <ProblemAlert error={error} />
      {!queues && !error && <LinesSkeleton lines={3} />}
      {queues?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('work.none.all')}
        </Text>
      )}
      {queues && queues.length > 0 && (
        <TableFrame title={t('work.queues')}>
          <thead>
            <tr>
              <th scope="col">{t('field.teamName')}</th>
              <th scope="col">{t('field.ownerName')}</th>
              {(['items', 'today', 'week', 'older'] as const).map((column) => (
                <th key={column} scope="col" className="amount">
                  {t(`work.column.${column}`)}
                </th>
              ))}
              <th scope="col">{t('work.oldest')}</th>
              <th scope="col" className="amount">
                {t('work.value')}
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={`${queue.teamGuid}/${queue.ownerGuid}`}>
                <td>{queue.teamName ?? t('work.noTeam')}</td>
                <td>
                  <Anchor renderRoot={(props) => <Link to="/" search={toQueue(queue)} {...props} />}>
                    {queue.ownerName ?? t('work.nobody')}
                  </Anchor>
                </td>
                {[queue.items, queue.dueToday, queue.late, queue.veryLate].map((count, column) => (
                  <td key={column} className="amount">
                    {formatNumber(count)}
                  </td>
                ))}
                <td>{formatDateTime(queue.oldestDate)}</td>
                <td className="amount">
                  {queue.amounts.map(({ currencyCode, remainingSum }) => (
                    <div key={currencyCode}>{formatMoney(remainingSum, currencyCode)}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </Panel>
  )
}
