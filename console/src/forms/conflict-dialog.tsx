import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { translateLabel } from '../texts/labels.ts'
import type { FormField, Typed } from './definition.ts'
import type { Values } from './form-model.ts'

export interface Conflict {
  /** The values when the form was opened. */
  before: Values
  /** The values now stored. */
  now: Values
  mine: Values
  etag: string | undefined
}

interface ConflictDialogProps {
  conflict: Conflict
  fields: readonly FormField[]
  /** Called with the values to continue with; without values the user returns to the form. */
  onClose: (chosen?: Values) => void
}

/**
 * Shows a conflict: another user has changed the record since the form was opened. Both versions stand side by side.
 * If the two users changed different fields, both changes are kept.
 */
export function ConflictDialog({ conflict, fields, onClose }: ConflictDialogProps) {
  const { t } = useTranslation()
  const { before, now, mine } = conflict
  const rows = fields.filter(({ code }) => before[code] !== now[code] || before[code] !== mine[code])
  const isContested = ({ code }: FormField) =>
    before[code] !== now[code] && before[code] !== mine[code] && now[code] !== mine[code]
  const contested = rows.some(isContested)
  const merge = (preferMine: boolean): Values =>
    Object.fromEntries(
      fields.map((field) => {
        const { code } = field
        const isMine = before[code] !== mine[code] && (preferMine || !isContested(field))
        return [code, isMine ? mine[code]! : now[code]!]
      }),
    )
  const show = (value: Typed | undefined) =>
    typeof value === 'boolean' ? t(value ? 'value.yes' : 'value.no') : value || '–'
  return (
    <Modal
      opened
      onClose={() => onClose()}
      size="xl"
      title={t('conflict.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Text size="sm" mb="sm">
        {t(contested ? 'conflict.contested' : 'conflict.apart')}
      </Text>
      <div style={{ overflowX: 'auto' }}>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{t('filter.field')}</th>
              <th scope="col">{t('conflict.before')}</th>
              <th scope="col">{t('conflict.now')}</th>
              <th scope="col">{t('conflict.mine')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((field) => (
              <tr key={field.code}>
                <th scope="row">{field.longLabel || translateLabel(`field.${field.code}`, field.code)}</th>
                <td>{show(before[field.code])}</td>
                <td style={{ fontWeight: before[field.code] === now[field.code] ? 400 : 600 }}>
                  {show(now[field.code])}
                </td>
                <td style={{ fontWeight: before[field.code] === mine[field.code] ? 400 : 600 }}>
                  {show(mine[field.code])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => onClose()}>
          {t('conflict.back')}
        </Button>
        {contested && (
          <Button variant="default" onClick={() => onClose(merge(false))}>
            {t('conflict.keepTheirs')}
          </Button>
        )}
        <Button onClick={() => onClose(merge(true))}>
          {t(contested ? 'conflict.keepMine' : 'conflict.both')}
        </Button>
      </Group>
    </Modal>
  )
}
