import { ActionIcon, Checkbox, Fieldset, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dashboardTiles, type DashboardTile } from '../../../../contract/insight/dashboards.ts'
import { Icon } from '../../widgets/icons.tsx'
import { useDashboardRights, visibleTiles } from './use-dashboards.ts'
import { useTileNames } from './use-tile-names.ts'

interface TileChooserProps {
  tiles: readonly DashboardTile[]
  onChange: (tiles: DashboardTile[]) => void
}

/** Chooses tiles and their order: the chosen ones first, each with buttons that move it. */
export function TileChooser({ tiles, onChange }: TileChooserProps) {
  const { t } = useTranslation()
  const names = useTileNames()
  const { seesCosts } = useDashboardRights()
  const hidden = visibleTiles(dashboardTiles, seesCosts).filter((tile) => !tiles.includes(tile))
  const toggle = (tile: DashboardTile) =>
    onChange(tiles.includes(tile) ? tiles.filter((one) => one !== tile) : [...tiles, tile])
  const move = (index: number, by: 1 | -1) =>
    onChange(tiles.with(index + by, tiles[index]!).with(index, tiles[index + by]!))
  return (
    <Fieldset legend={t('dashboards.tiles')}>
      <Stack gap={6}>
        {tiles.map((tile, index) => (
          <Group key={tile} justify="space-between" wrap="nowrap">
            <Checkbox label={names[tile]} checked onChange={() => toggle(tile)} />
            <Group gap={4} wrap="nowrap">
              <MoveButton
                icon="up"
                label={t('dashboards.raise', { tile: names[tile] })}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <MoveButton
                icon="down"
                label={t('dashboards.lower', { tile: names[tile] })}
                disabled={index === tiles.length - 1}
                onClick={() => move(index, 1)}
              />
            </Group>
          </Group>
        ))}
        {hidden.map((tile) => (
          <Checkbox key={tile} label={names[tile]} checked={false} onChange={() => toggle(tile)} />
        ))}
      </Stack>
    </Fieldset>
  )
}

interface MoveButtonProps {
  icon: 'up' | 'down'
  label: string
  disabled: boolean
  onClick: () => void
}

const MoveButton = ({ icon, label, ...props }: MoveButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
    <Icon name={icon} size={15} />
  </ActionIcon>
)
