import { queryClient } from '../../api/queries.ts'

/** Reloads all that is shown, except forms: their input belongs to the data loaded with them. */
export const reloadShown = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'form' })
