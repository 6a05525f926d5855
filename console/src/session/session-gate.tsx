import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { ServiceUnavailable } from './service-unavailable.tsx'
import { findSession, useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'

const SignInAgain = lazy(() => import('./sign-in-again.tsx'))
const Enrolment = lazy(() => import('./enrolment.tsx'))
const ConnectAssistant = lazy(() => import('./connect-assistant.tsx'))
const PasswordReset = lazy(() => import('./password-reset.tsx'))

/**
 * Shows the console to signed-in users. When a session ends during work, the screens and their input stay below a
 * dialog that asks to sign in again.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const { phase, user } = useSession()
  useEffect(() => {
    if (phase !== 'away') return
    const timer = setInterval(() => void findSession(), 4000)
    return () => clearInterval(timer)
  }, [phase])
  const { pathname } = window.location
  if (pathname === '/reset-password' || pathname === '/invitation')
    return (
      <Standing>
        <PasswordReset isInvitation={pathname === '/invitation'} />
      </Standing>
    )
  if (user) {
    return (
      <>
        {window.location.pathname === '/connect' ? (
          <Standing>
            <ConnectAssistant />
          </Standing>
        ) : (
          children
        )}
        {phase === 'signed-out' && (
          <Suspense fallback={null}>
            <SignInAgain login={user.email ?? ''} />
          </Suspense>
        )}
      </>
    )
  }
  switch (phase) {
    case 'away':
      return (
        <Standing>
          <ServiceUnavailable />
        </Standing>
      )
    case 'signed-out':
      return (
        <Standing>
          <SignIn />
        </Standing>
      )
    case 'enrolling':
      return (
        <Standing>
          <Enrolment />
        </Standing>
      )
    default:
      return null
  }
}

function Standing({ children }: { children: ReactNode }) {
  return (
    <main className="sign-in">
      <Suspense fallback={null}>{children}</Suspense>
    </main>
  )
}
