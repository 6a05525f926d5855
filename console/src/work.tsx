import { RouterProvider } from '@tanstack/react-router'
import { router } from './router.tsx'

/** Everything behind the sign-in, which need not be loaded before it. */
export default function Work() {
  return <RouterProvider router={router} />
}
