import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Favorite } from '../../../../contract/items.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { useMay, useUser } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** Where the day begins. The worklist takes the first place here when there are cases. */
export default function Home() {
  const { t } = useTranslation()
  const user = useUser()
  const maySystem = useMay('system.read')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: maySystem, staleTime: 300_000 })
  return (
    <Page
      title={t('home.title', { name: user.fullName ?? '' })}
      about={data ? t('home.systemDate', { date: formatDateTime(data.body.systemDate) }) : ' '}
    >
      <Stack gap="md">
        <Favorites />
        <Portfolio />
      </Stack>
    </Page>
  )
}

function Favorites() {
  const { t } = useTranslation()
  const query = reading('listFavorites', { $top: 100 })
  const { data, error } = useQuery(query)
  const value = data?.body.value ?? []
  /** Moved at once; should the service refuse, its order is shown again. */
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
              <Icon name={favorite.type === '3' ? 'person' : 'document'} />
              <div>
                <Text
                  size="sm"
                  component={Link}
                  to={placeOf(favorite) as '/'}
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

/** Only addresses of our own are gone to. */
function placeOf({ type, guid, url }: Favorite): string {
  if (type === '3') return `/debtors/${guid}`
  return url !== null && /^\/(?![/\\])/.test(url) ? url : '/'
}

function Portfolio() {
  const { t } = useTranslation()
  const mayRead = useMay('debtor.read')
  const { data } = useQuery({ ...reading('listDebtors', { $top: 0 }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <Panel title={t('home.portfolio')}>
      <Group gap="xs" align="baseline">
        <Text fz="xl" fw={600} miw={40}>
          {data ? formatNumber(data.body.total) : '…'}
        </Text>
        <Text size="sm" component={Link} to="/debtors" c="var(--mantine-color-anchor)">
          {t('navigation.debtors')}
        </Text>
      </Group>
    </Panel>
  )
}
