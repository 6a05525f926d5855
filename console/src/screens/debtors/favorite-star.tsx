import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'

/** Shown at once, and reverted if the service refuses. */
export function FavoriteStar({ guid, type, name }: { guid: string; type: string; name: string }) {
  const { t } = useTranslation()
  const query = reading('listFavorites', { $top: 100 })
  const { data } = useQuery(query)
  const favorite = data?.body.value.find((one) => one.guid === guid)
  const toggle = async () => {
    const former = queryClient.getQueryData(query.queryKey)
    queryClient.setQueryData(query.queryKey, (answer) => {
      if (!answer) return answer
      const { value } = answer.body
      const added = {
        itemGuid: 'adding',
        type,
        guid,
        primaryDescription: name,
        secondaryDescription: null,
        url: null,
        subType: null,
      }
      return {
        ...answer,
        body: {
          ...answer.body,
          value: favorite ? value.filter((one) => one !== favorite) : [...value, added],
        },
      }
    })
    try {
      if (favorite) await api.deleteFavorite({ guid: favorite.itemGuid })
      else await api.addFavorite({ body: { type, guid } })
      await refresh('listFavorites')
    } catch (error) {
      queryClient.setQueryData(query.queryKey, former)
      noticeProblem(error)
    }
  }
  const label = t(favorite ? 'favorite.remove' : 'favorite.add')
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        aria-pressed={favorite !== undefined}
        disabled={!data || favorite?.itemGuid === 'adding'}
        onClick={() => void toggle()}
        c={favorite ? 'yellow.6' : undefined}
      >
        <Icon name="star" filled={favorite !== undefined} />
      </ActionIcon>
    </Tooltip>
  )
}
