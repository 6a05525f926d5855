import { Kbd, Modal, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { caseKeys } from './use-key.ts'

const everywhere = [
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

const onCase = [
  [caseKeys.pay, 'case.payment'],
  [caseKeys.fee, 'case.fee'],
  [caseKeys.writeOff, 'case.writeOff'],
  [caseKeys.hold, 'case.hold'],
  [caseKeys.close, 'case.close'],
  [caseKeys.call, 'call.log'],
  [caseKeys.letter, 'letters.new'],
  [caseKeys.note, 'notes.new'],
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
      <Keys
        title={t('keys.everywhere')}
        keys={everywhere.map(([key, meaning]) => [key, t(`keys.${meaning}`)])}
      />
      <Keys title={t('keys.case')} keys={onCase.map(([key, meaning]) => [key, t(meaning)])} />
    </Modal>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section aria-label={title}>
      <Text fw={600} size="sm" mt="sm" mb="xs">
        {title}
      </Text>
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
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
