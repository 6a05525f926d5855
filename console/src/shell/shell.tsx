import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Group,
  Kbd,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isReachable } from '../api/client.ts'
import { useStore } from '../store.ts'
import { Icon } from '../widgets/icons.tsx'
import { NavigationList } from './navigation-list.tsx'
import { useShortcuts } from './shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const KeySheet = lazy(() => import('./key-sheet.tsx'))

export function Shell() {
  const { t } = useTranslation()
  const [navigationOpened, navigation] = useDisclosure(false)
  const [paletteOpened, setPaletteOpened] = useState(false)
  const [keysOpened, setKeysOpened] = useState(false)
  useShortcuts({ openPalette: () => setPaletteOpened(true), openKeys: () => setKeysOpened(true) })
  useFocusOnNavigation(navigation.close)
  // The user types right after the shortcut.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 1000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !navigationOpened } }}
      padding="lg"
    >
      <a className="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="md" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" w={{ sm: 200 }}>
            <Burger
              opened={navigationOpened}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('shell.navigation')}
            />
            <Text fw={700} fz="lg" c="fjord" visibleFrom="xs" component={Link} to="/" td="none">
              Fordra
            </Text>
          </Group>
          <button type="button" className="search-button" onClick={() => setPaletteOpened(true)}>
            <Icon name="search" size={16} />
            <Box component="span" flex={1} ta="start" style={{ whiteSpace: 'nowrap', overflow: 'hidden' }}>
              {t('palette.open')}
            </Box>
            <Kbd size="xs" visibleFrom="sm">
              /
            </Kbd>
          </button>
          <Group gap="xs" wrap="nowrap">
            <SchemeButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('shell.navigation')}>
        <NavigationList />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <AwayBanner />
        <Box maw={1440} mx="auto">
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
      {keysOpened && (
        <Suspense fallback={null}>
          <KeySheet onClose={() => setKeysOpened(false)} />
        </Suspense>
      )}
      {paletteOpened && (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpened(false)} />
        </Suspense>
      )}
    </AppShell>
  )
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
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
      </ActionIcon>
    </Tooltip>
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
