import { ActionIcon, Alert, Group, Kbd, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSystemInformation } from '../api/business-date.ts'
import { api, isReachable } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'
import { useStore } from '../store.ts'
import { Icon } from '../widgets/icons.tsx'
import { loadLaterTexts } from '../texts/languages.ts'
import { loadNotices } from '../widgets/notices.ts'
import { OnDemand } from '../widgets/on-demand.tsx'
import { BellButton } from './bell-button.tsx'
import { NavigationList } from './navigation-list.tsx'
import { PrintHead } from './print-head.tsx'
import { printInLight } from './print-in-light.ts'
import { useTypedAhead } from './typed-ahead.ts'
import { useUnread } from './unread.ts'
import { loadPageKeys, useShortcuts } from './keys/shortcuts.ts'
import { UserButton } from './user-button.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const loadUserMenu = () => import('./user-menu.tsx')
const UserMenu = lazy(loadUserMenu)
const loadBellMenu = () => import('./bell-menu.tsx')
const BellMenu = lazy(loadBellMenu)
const KeySheet = lazy(() => import('./keys/key-sheet.tsx'))

export function Shell() {
  const { t } = useTranslation()
  const [navigationOpened, navigation] = useDisclosure(false)
  const [paletteOpened, setPaletteOpened] = useState(false)
  const [paletteText, setPaletteText] = useState('')
  const [keysOpened, setKeysOpened] = useState(false)
  const unread = useUnread()
  useShortcuts({ openPalette: () => setPaletteOpened(true), openKeys: () => setKeysOpened(true) })
  useTypedAhead(paletteOpened, setPaletteText)
  useFocusOnNavigation(navigation.close)
  useKeptFocus()
  useLaterLoads()
  useEffect(printInLight, [])
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      <header className="shell-header">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          hiddenFrom="sm"
          aria-label={t('shell.navigation')}
          aria-expanded={navigationOpened}
          onClick={navigation.toggle}
        >
          <Icon name={navigationOpened ? 'close' : 'menu'} size={22} />
        </ActionIcon>
        <Link to="/" className="shell-name">
          Fordra
        </Link>
        <button type="button" className="search-button" onClick={() => setPaletteOpened(true)}>
          <Icon name="search" size={16} />
          <span>{t('palette.open')}</span>
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        </button>
        <Group gap="xs" wrap="nowrap">
          <SchemeButton />
          <OnDemand
            load={loadBellMenu}
            button={(events) => <BellButton unread={unread} aria-haspopup="menu" {...events} />}
          >
            <BellMenu unread={unread} />
          </OnDemand>
          <OnDemand load={loadUserMenu} button={(events) => <UserButton aria-haspopup="menu" {...events} />}>
            <UserMenu />
          </OnDemand>
        </Group>
      </header>
      <nav
        className="shell-navigation"
        aria-label={t('shell.navigation')}
        data-opened={navigationOpened || undefined}
      >
        <NavigationList />
      </nav>
      <main className="shell-main" id="main" tabIndex={-1}>
        <AwayBanner />
        <SandboxBanner />
        <div className="shell-content">
          <PrintHead />
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </div>
      </main>
      <Suspense fallback={null}>
        {keysOpened && <KeySheet onClose={() => setKeysOpened(false)} />}
        {paletteOpened && (
          <Palette
            text={paletteText}
            onText={setPaletteText}
            onClose={() => {
              setPaletteOpened(false)
              setPaletteText('')
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

const laterMs = 2_000
const lookMs = 250

/** Loads what may be wanted at once: the user types right after the shortcut, and a service that is away sends no code. */
function useLaterLoads(): void {
  useEffect(() => {
    // On a slow machine or a slow network the first screen may wait for its rows long after this.
    let quietMs = 0
    const timer = setInterval(() => {
      quietMs = queryClient.isFetching() > 0 ? 0 : quietMs + lookMs
      if (quietMs < laterMs) return
      clearInterval(timer)
      void Promise.all([loadPalette(), loadNotices(), loadLaterTexts()]).catch(() => {})
    }, lookMs)
    return () => clearInterval(timer)
  }, [])
}

/** Keeps the focus on the page, once its code is there: a moment after the first screen, or by the first key. */
function useKeptFocus(): void {
  useEffect(() => {
    const begun = new AbortController()
    let stop = () => {}
    const begin = async () => {
      const { keepFocus } = await loadPageKeys()
      if (begun.signal.aborted) return
      begun.abort()
      stop = keepFocus()
    }
    const load = () => void begin().catch(() => {})
    const timer = setTimeout(load, laterMs)
    window.addEventListener('keydown', load, { signal: begun.signal })
    return () => {
      clearTimeout(timer)
      begun.abort()
      stop()
    }
  }, [])
}

/** Moves the focus to the heading of a new screen, for screen readers. */
function useFocusOnNavigation(then: () => void): void {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const first = useRef(true)
  // Runs when the address changes, not when a function does.
  const arrive = useEffectEvent(then)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    arrive()
    // A screen may have set the focus to an input.
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) {
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    }
  }, [path])
}

function SchemeButton() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const label = t(scheme === 'dark' ? 'shell.light' : 'shell.dark')
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}

/** Says on every page that nothing here is real and nothing leaves. */
function SandboxBanner() {
  const { t } = useTranslation()
  if (!useSystemInformation()?.sandbox) return null
  return (
    <Alert color="blue" variant="light" title={t('shell.sandbox')} mb="md" role="status">
      {t('shell.sandboxDetail')}
    </Alert>
  )
}

/** Reports that the service cannot be reached, and retries until it answers. Input is kept. */
function AwayBanner() {
  const { t } = useTranslation()
  const reachable = useStore(isReachable)
  useEffect(() => {
    if (reachable) return
    const timer = setInterval(() => void api.getSession().catch(() => {}), 4000)
    return () => clearInterval(timer)
  }, [reachable])
  if (reachable) return null
  return (
    <Alert color="yellow" variant="light" title={t('problem.away')} mb="md" role="alert">
      {t('problem.awayDetail')}
    </Alert>
  )
}
