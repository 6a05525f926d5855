import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { I18nextProvider } from 'react-i18next'
import { queryClient } from './api/queries.ts'
import { SessionGate } from './session/session-gate.tsx'
import { i18n } from './texts/languages.ts'
import { resolveColours, theme } from './theme.ts'

const loadWork = () => import('./work.tsx')
const Work = lazy(loadWork)

export function App({ nonce }: { nonce: string }) {
  // Loads the next part while the user types a password.
  useEffect(() => {
    const timer = setTimeout(() => void loadWork().catch(() => {}), 1500)
    return () => clearTimeout(timer)
  }, [])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={resolveColours}
      getStyleNonce={() => nonce}
    >
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" autoClose={5000} />
          <SessionGate>
            <Suspense fallback={null}>
              <Work />
            </Suspense>
          </SessionGate>
        </QueryClientProvider>
      </I18nextProvider>
    </MantineProvider>
  )
}
