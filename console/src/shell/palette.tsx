/** The command palette: searches debtors, cases, invoices, clients, plans, screens and commands, and starts payments. */
import '@mantine/spotlight/styles.layer.css'
import { Text } from '@mantine/core'
import { Spotlight, createSpotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../session/session.ts'
import type { TextKey } from '../texts/languages.ts'
import { Icon } from '../widgets/icons.tsx'
import { findItems, invoiceType, isAmbiguous, type FoundItem } from './find-items.ts'
import { findPayments, paymentType, readPaymentText } from './find-payments.ts'
import { findPlans, planType } from './find-plans.ts'
import { useNavigation, type NavigationPlace } from './navigation.ts'
import { paletteInput } from './typed-ahead.ts'

const groups: Record<number, TextKey> = {
  1: 'navigation.cases',
  2: 'navigation.clients',
  3: 'navigation.debtors',
  [invoiceType]: 'palette.invoices',
  [planType]: 'navigation.plans',
  [paymentType]: 'case.payment',
}
const none: FoundItem[] = []

const [store, spotlight] = createSpotlight()

interface PaletteProps {
  text: string
  onText: (text: string) => void
  onClose: () => void
}

export default function Palette({ text, onText, onClose }: PaletteProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [wanted] = useDebouncedValue(text.trim(), 120)
  const mayRead = useMay('debtor.read', 'case.read', 'client.read')
  useEffect(() => spotlight.open(), [])
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['find', wanted],
    queryFn: ({ signal }) => findItems(wanted, signal),
    enabled: wanted.length >= 2 && mayRead,
    placeholderData: (former) => former,
  })
  const go = (to: string) => void navigate({ href: to })
  const commands = useCommands(text)
  const found = wanted.length >= 2 ? (data ?? none) : none
  const plans = useFoundPlans(found)
  const payments = useFoundPayments(wanted)
  const items = [...payments.found, ...found, ...plans]
  const isOfFormerText = text.trim() !== wanted || isPlaceholderData || (isFetching && data === undefined)
  const choice = useChoice(items, {
    severalHaveIt: isAmbiguous(text, found),
    isWaiting: mayRead && text.trim().length >= 2 && (isOfFormerText || payments.isLoading),
  })
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={(next) => {
        choice.forget()
        onText(next)
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      scrollable
      overlayProps={{ blur: 0 }}
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.title')}
        leftSection={<Icon name="search" />}
        onKeyDownCapture={choice.onKey}
        {...{ [paletteInput]: true }}
      />
      {choice.isNeeded && (
        <Text size="sm" c="dimmed" px="md" py="xs" role="status">
          {t('palette.choose')}
        </Text>
      )}
      <Spotlight.ActionsList>
        {[paymentType, 3, 1, invoiceType, 2, planType].map((type) => {
          const ofType = items.filter((item) => item.type === type)
          if (ofType.length === 0) return null
          return (
            <Spotlight.ActionsGroup key={type} label={t(groups[type]!)}>
              {ofType.map((item) => (
                <FoundAction key={item.type + item.guid} item={item} onChoose={() => go(item.url)} />
              ))}
            </Spotlight.ActionsGroup>
          )
        })}
        {commands.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.commands')}>
            {commands.map(({ label, url, icon }) => (
              <Spotlight.Action
                key={url}
                label={label}
                leftSection={<Icon name={icon} />}
                onClick={() => go(url)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {items.length + commands.length === 0 && !isFetching && (
          <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Plans load after the items they belong to, which are shown first. */
function useFoundPlans(found: FoundItem[]): FoundItem[] {
  const mayRead = useMay('paymentplan.read')
  const whose = found.filter(({ type }) => type !== 2).map(({ guid }) => guid)
  const { data } = useQuery({
    queryKey: ['find plans', whose],
    queryFn: ({ signal }) => findPlans(found, signal),
    enabled: mayRead && whose.length > 0,
  })
  return data ?? none
}

/** The cases for which a payment can be registered, when an amount stands behind the name. */
function useFoundPayments(wanted: string): { found: FoundItem[]; isLoading: boolean } {
  const mayPay = useMay('payment.write')
  const text = readPaymentText(wanted)
  const { data, isLoading } = useQuery({
    queryKey: ['find payments', text],
    queryFn: ({ signal }) => findPayments(text!, signal),
    enabled: mayPay && text !== undefined,
  })
  return { found: (text && data) ?? none, isLoading }
}

interface Answer {
  severalHaveIt: boolean
  /** The items are not those of the present text yet. */
  isWaiting: boolean
}

/**
 * Enter opens the first item also when it was found after the last key; one that is chosen stays so. Pressed before the
 * answer to the present text is there, it waits for the answer. Where several records have the number, Enter opens only
 * what an arrow key has chosen.
 */
function useChoice(items: readonly FoundItem[], { severalHaveIt, isWaiting }: Answer) {
  const [chosen, setChosen] = useState(false)
  const [entered, setEntered] = useState(false)
  const first = items[0]?.url
  const isNeeded = severalHaveIt && !chosen
  useEffect(() => {
    const list = document.getElementById(store.getState().listId)
    // The palette itself finds what is chosen by this attribute.
    const selected = list?.querySelector('[data-selected]')
    if (isNeeded) {
      selected?.removeAttribute('data-selected')
      store.updateState((state) => ({ ...state, selected: -1 }))
    } else if (list && !selected) list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  }, [first, isNeeded])
  useEffect(() => {
    if (!entered || isWaiting) return
    setEntered(false)
    const list = document.getElementById(store.getState().listId)
    if (!isNeeded) list?.querySelector<HTMLElement>('[data-action]')?.click()
  }, [entered, isWaiting, isNeeded])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setChosen(true)
    const mustWait = isWaiting && !chosen
    if (event.key !== 'Enter' || !(isNeeded || mustWait)) return
    event.preventDefault()
    event.stopPropagation()
    setEntered(mustWait)
  }
  const forget = () => {
    setChosen(false)
    setEntered(false)
  }
  return { isNeeded, onKey, forget }
}

function FoundAction({ item, onChoose }: { item: FoundItem; onChoose: () => void }) {
  return (
    <Spotlight.Action
      label={item.title}
      description={item.about}
      leftSection={<Icon name={item.icon} />}
      onClick={onChoose}
    />
  )
}

function useCommands(text: string): NavigationPlace[] {
  const { t } = useTranslation()
  const sections = useNavigation()
  const wanted = text.trim().toLowerCase()
  return [
    ...sections.flatMap(({ forms }) => forms),
    ...sections.flatMap(({ page, places }) => (page ? [page, ...places] : places)),
    { label: t('shell.profile'), url: '/profile', icon: 'person' as const },
  ].filter(({ label }) => label.toLowerCase().includes(wanted))
}
