import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { I18nextProvider } from 'react-i18next'
import { queryClient } from './api/queries.ts'
import { router } from './router.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { i18n } from './texts/languages.ts'
import { useStore } from './store.ts'
import { resolveColours, theme } from './theme.ts'
import { hasNotices, loadNotices } from './widgets/notices.ts'

const NoticeArea = lazy(loadNotices)

export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={resolveColours}
      getStyleNonce={() => nonce}
    >
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <Notices />
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </I18nextProvider>
    </MantineProvider>
  )
}

function Notices() {
  const wanted = useStore(hasNotices)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <NoticeArea />
    </Suspense>
  )
}
