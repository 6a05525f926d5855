import { Kbd, Modal } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

const keys = [
  ['/', 'search'],
  ['j', 'next'],
  ['k', 'previous'],
  ['x', 'select'],
  ['Enter', 'open'],
  ['Space', 'peek'],
  ['g d', 'debtors'],
  ['g c', 'cases'],
  ['g h', 'home'],
  ['?', 'keys'],
] as const

/** The keys of the console. */
export default function KeySheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <dl className="facts">
        {keys.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <Kbd key={one} mr={4}>
                  {one}
                </Kbd>
              ))}
            </dt>
            <dd>{t(`keys.${meaning}`)}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  )
}
