import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { I18nextProvider } from 'react-i18next'
import { queryClient } from './api/queries.ts'
import { router } from './router.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { i18n } from './texts/languages.ts'
import { resolveColours, theme } from './theme.ts'

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
          <Notifications position="bottom-right" autoClose={5000} />
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </I18nextProvider>
    </MantineProvider>
  )
}
