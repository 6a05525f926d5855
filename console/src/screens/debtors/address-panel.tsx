import { ActionIcon, Badge, Box, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Address } from '../../../../contract/parties/addresses.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { useMay, useUser } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { AddButton } from '../../widgets/list-panel.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

const changed = () => refresh('listAddresses', 'getDebtor', 'listDebtors', 'listAuditEntries', 'listTimeline')

type Open = { what: 'new' } | { what: 'edit' | 'delete'; address: Address } | undefined

/** Field collectors may change addresses without access to the debtor itself. */
export const useMayKeep = (): boolean => {
  const may = useMay('debtor.write')
  return useUser().userRole === 14 || may
}

export function AddressPanel({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const mayWrite = useMayKeep()
  const [open, setOpen] = useState<Open>()
  const { data, error } = useQuery(
    reading('listAddresses', { debtorGuid, $top: 100, $orderby: 'defaultAddress desc,validFrom desc' }),
  )
  const [failure, setFailure] = useState<unknown>(null)
  const confirm = async ({ addressGuid }: Address) => {
    await api.confirmAddress({ debtorGuid, addressGuid })
    noticeDone(t('address.confirmed'))
    await changed()
  }
  const close = () => setOpen(undefined)
  const done = () => {
    noticeDone(t('form.stored'))
    void changed()
    close()
  }
  return (
    <Panel
      title={t('address.title')}
      actions={mayWrite && <AddButton label={t('address.new')} onClick={() => setOpen({ what: 'new' })} />}
    >
      <ProblemAlert error={error ?? failure} />
      {!data && !error && <LinesSkeleton lines={4} />}
      {data?.body.total === 0 && (
        <Text size="sm" c="dimmed">
          {t('address.none')}
        </Text>
      )}
      <Stack component="ul" gap={0} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {data?.body.value.map((address) => (
          <AddressRow
            key={address.addressGuid}
            address={address}
            mayWrite={mayWrite}
            onOpen={(what) => setOpen({ what, address })}
            onConfirm={() => {
              setFailure(null)
              confirm(address).catch(setFailure)
            }}
          />
        ))}
      </Stack>
      {open?.what === 'new' && (
        <FormDialog
          title={t('address.new')}
          entity="address"
          type="create"
          place={{ id: debtorGuid }}
          onDone={done}
          onClose={close}
        />
      )}
      {open?.what === 'edit' && (
        <FormDialog
          title={t('address.edit')}
          entity="address"
          type="edit"
          place={{ id: debtorGuid, subId: open.address.addressGuid }}
          onDone={done}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('address.delete')}
          about={t('address.deleteAbout', { address: open.address.fullAddress ?? '' })}
          confirm={t('action.delete')}
          onConfirm={() =>
            api.deleteAddress({ debtorGuid, addressGuid: open.address.addressGuid }).then(changed)
          }
          onClose={close}
        />
      )}
    </Panel>
  )
}

interface AddressRowProps {
  address: Address
  mayWrite: boolean
  onOpen: (what: 'edit' | 'delete') => void
  onConfirm: () => void
}

function AddressRow({ address, mayWrite, onOpen, onConfirm }: AddressRowProps) {
  const { t } = useTranslation()
  const line = (address.fullAddress ?? '').replaceAll('\n', ', ')
  const from = formatDateTime(address.validFrom)
  const to = formatDateTime(address.validTo)
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start" py="xs" className="lined">
      <Box>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {line || '–'}
          </Text>
          {address.defaultAddress === true && (
            <Badge variant="light" size="sm">
              {t('address.default')}
            </Badge>
          )}
          {address.addressNotValidDate !== null && (
            <Badge variant="light" color="red" size="sm">
              {t('address.notValid')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {[
            translateLabel(`lookup.addresstype.${address.addressType}`, address.addressType ?? ''),
            from || to ? `${from || '…'} – ${to || '…'}` : '',
            address.validatedAt !== null &&
              `${t('field.validatedAt')} ${formatDateTime(address.validatedAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Box>
      {mayWrite && (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('address.confirmThis', { address: line })}
            onClick={onConfirm}
          >
            {t('address.confirm')}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('address.editThis', { address: line })}
            onClick={() => onOpen('edit')}
          >
            <Icon name="edit" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('address.deleteThis', { address: line })}
            onClick={() => onOpen('delete')}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      )}
    </Group>
  )
}
