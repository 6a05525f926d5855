import { RouterProvider } from '@tanstack/react-router'
import { router } from './router.tsx'

/** Everything behind the sign-in, loaded separately. */
export default function Work() {
  return <RouterProvider router={router} />
}
