import { ActionIcon, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Favorite } from '../../../../contract/metadata/items.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { itemScreens } from '../../shell/find-items.ts'
import { useMay, useUser } from '../../session/session.ts'
import { withLaterTexts } from '../../texts/with-later-texts.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { MyWork, TakeNext } from '../work/my-work.tsx'
import { useFirstStepsAtStart } from '../setup/first-steps.ts'
import { QueuePanel } from '../work/queue-panel.tsx'
import { WaitingApprovals } from './waiting-approvals.tsx'

const WorklistRows = lazy(() => import('./worklist-rows.tsx'))
const SetupPage = lazy(withLaterTexts(() => import('../setup/setup-page.tsx')))

/** The start screen. In an empty agency it leads an administrator through the first steps. */
export default function Home() {
  const isFirst = useFirstStepsAtStart()
  if (isFirst === false) return <Work />
  return (
    <Suspense fallback={<LinesSkeleton lines={12} />}>
      {isFirst ? <SetupPage /> : <LinesSkeleton lines={12} />}
    </Suspense>
  )
}

/** A handler's work, or else the worklist, and the user's favorites. */
function Work() {
  const { t } = useTranslation()
  const user = useUser()
  const maySystem = useMay('system.read')
  const mayCases = useMay('case.read')
  const handles = useMay('case.write')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: maySystem, staleTime: 300_000 })
  const title = mayCases ? t('worklist.title') : t('home.title', { name: user.fullName ?? '' })
  return (
    <Page
      title={handles ? t('work.mine.title') : title}
      about={data ? t('home.systemDate', { date: formatDateTime(data.body.systemDate) }) : ' '}
      actions={handles && <TakeNext />}
    >
      <Stack gap="md">
        <WaitingApprovals />
        {handles && <MyWork />}
        {mayCases && !handles && (
          <Suspense fallback={<LinesSkeleton lines={12} />}>
            <WorklistRows />
          </Suspense>
        )}
        {handles && <QueuePanel />}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Favorites />
          <Portfolio />
        </SimpleGrid>
      </Stack>
    </Page>
  )
}

function Favorites() {
  const { t } = useTranslation()
  const query = reading('listFavorites', { $top: 100 })
  const { data, error } = useQuery(query)
  const value = data?.body.value ?? []
  /** Moved at once, and reverted if the service refuses. */
  const raise = (favorite: Favorite, index: number) => {
    queryClient.setQueryData(
      query.queryKey,
      (answer) =>
        answer && {
          ...answer,
          body: { ...answer.body, value: value.with(index - 1, favorite).with(index, value[index - 1]!) },
        },
    )
    api
      .updateFavorite({ guid: favorite.itemGuid, body: { position: index - 1 } })
      .catch((failure: unknown) => {
        noticeProblem(failure)
        void refresh('listFavorites')
      })
  }
  return (
    <Panel title={t('favorite.title')}>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={1} />}
      {data && value.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('favorite.none')}
        </Text>
      )}
      <Stack component="ul" gap={0} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {value.map((favorite, index) => (
          <Group
            key={favorite.itemGuid}
            component="li"
            justify="space-between"
            wrap="nowrap"
            py={6}
            className="lined"
          >
            <Group gap="sm" wrap="nowrap">
              <Icon
                name={favorite.type === '3' ? 'person' : favorite.type === '2' ? 'building' : 'document'}
              />
              <div>
                <Text
                  size="sm"
                  component={Link}
                  to={favoritePath(favorite) as '/'}
                  fw={500}
                  c="var(--mantine-color-anchor)"
                >
                  {favorite.primaryDescription ?? favorite.url ?? '–'}
                </Text>
                <Text size="xs" c="dimmed">
                  {favorite.secondaryDescription}
                </Text>
              </div>
            </Group>
            {index > 0 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('favorite.raise', { name: favorite.primaryDescription ?? '' })}
                onClick={() => raise(favorite, index)}
              >
                <Icon name="up" size={15} />
              </ActionIcon>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}

/** Follows only our own addresses. */
function favoritePath({ type, guid, url }: Favorite): string {
  const screen = itemScreens[type]
  if (screen !== undefined) return `${screen}/${guid}`
  return url !== null && /^\/(?![/\\])/.test(url) ? url : '/'
}

function Portfolio() {
  const { t } = useTranslation()
  return (
    <Panel title={t('home.portfolio')}>
      <SimpleGrid cols={3}>
        <Count operation="listDebtors" access="debtor.read" to="/debtors" name={t('navigation.debtors')} />
        <Count operation="listAllCases" access="case.read" to="/cases" name={t('navigation.cases')} />
        <Count operation="listClients" access="client.read" to="/clients" name={t('navigation.clients')} />
      </SimpleGrid>
    </Panel>
  )
}

interface CountProps {
  operation: 'listDebtors' | 'listAllCases' | 'listClients'
  access: string
  to: '/debtors' | '/cases' | '/clients'
  name: string
}

function Count({ operation, access, to, name }: CountProps) {
  const mayRead = useMay(access)
  const { data } = useQuery({ ...reading(operation as 'listDebtors', { $top: 0 }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <div>
      <Text fz="xl" fw={600}>
        {data ? formatNumber(data.body.total) : '…'}
      </Text>
      <Text size="sm" component={Link} to={to} c="var(--mantine-color-anchor)">
        {name}
      </Text>
    </div>
  )
}
