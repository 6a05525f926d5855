import { Kbd, Modal, SimpleGrid, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextKey } from '../../texts/languages.ts'
import { useNavigation } from '../navigation.ts'
import { goTo } from './shortcuts.ts'
import { bulkKey, caseKeys } from './use-key.ts'

/** Keys that are pressed one after the other are apart by a space; those that are held together, by a plus. */
type Keys = readonly (readonly [keys: string, meaning: TextKey])[]

const everywhere: Keys = [
  ['/', 'keys.search'],
  ['Ctrl+Enter', 'keys.main'],
  ['F6', 'keys.part'],
  ['Shift+F6', 'keys.formerPart'],
  ['?', 'keys.keys'],
]

const inLists: Keys = [
  ['j', 'keys.next'],
  ['k', 'keys.previous'],
  ['Enter', 'keys.open'],
  ['Space', 'keys.peek'],
  ['F2', 'keys.edit'],
  ['x', 'keys.select'],
  ['Shift+x', 'bulk.selectPage'],
  [bulkKey, 'keys.bulk'],
]

const onSelected: Keys = [
  [caseKeys.hold, 'case.hold'],
  [caseKeys.status, 'case.status'],
  [caseKeys.note, 'notes.new'],
  [caseKeys.letter, 'letters.new'],
  [caseKeys.assign, 'work.assign'],
  [caseKeys.next, 'work.setNext'],
  [caseKeys.plan, 'bulk.plan'],
  [caseKeys.close, 'case.close'],
]

const onCase: Keys = [
  [caseKeys.pay, 'case.payment'],
  [caseKeys.fee, 'case.fee'],
  [caseKeys.writeOff, 'case.writeOff'],
  [caseKeys.hold, 'case.hold'],
  [caseKeys.status, 'case.status'],
  [caseKeys.close, 'case.close'],
  [caseKeys.call, 'call.log'],
  [caseKeys.letter, 'letters.new'],
  [caseKeys.note, 'notes.new'],
  [caseKeys.objection, 'objections.new'],
  [caseKeys.assign, 'work.assign'],
  [caseKeys.next, 'work.setNext'],
  [caseKeys.plan, 'plan.make'],
  [caseKeys.nextCase, 'work.nextCase'],
  [caseKeys.more, 'case.more'],
]

const onDebtor: Keys = [
  [caseKeys.pay, 'case.payment'],
  [caseKeys.call, 'call.log'],
  [caseKeys.plan, 'plan.make'],
  [caseKeys.letter, 'letters.new'],
  [caseKeys.note, 'notes.new'],
]

const onStrategy: Keys = [['Alt+Enter', 'strategy.newStep']]

/** The keys of the console. */
export default function KeySheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const screens = useScreens()
  const sections: readonly [TextKey, Keys][] = [
    ['keys.everywhere', everywhere],
    ['keys.list', inLists],
    ['keys.case', onCase],
    ['keys.selected', onSelected],
    ['keys.debtor', onDebtor],
    ['navigation.strategies', onStrategy],
  ]
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.title')}
      size="54rem"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} verticalSpacing="xs">
        <Section title={t('keys.goTo')} keys={screens} />
        {sections.map(([title, keys]) => (
          <Section key={title} title={t(title)} keys={keys.map(([key, meaning]) => [key, t(meaning)])} />
        ))}
      </SimpleGrid>
    </Modal>
  )
}

/** The screens that have a key and that the user may open. */
function useScreens(): [keys: string, label: string][] {
  const sections = useNavigation()
  const places = sections.flatMap(({ page, places: others }) => (page ? [page, ...others] : others))
  const { t } = useTranslation()
  const known = [...places, { url: '/profile', label: t('shell.profile') }]
  return Object.entries(goTo).flatMap(([key, url]) => {
    const place = known.find((one) => one.url === url)
    return place ? [[`g ${key}`, place.label]] : []
  })
}

function Section({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section aria-label={title}>
      <Text fw={600} size="sm" mt="sm" mb="xs">
        {title}
      </Text>
      <dl className="facts key-facts">
        {keys.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              {key.split(/[ +]/).map((one) => (
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
