import { useQuery } from '@tanstack/react-query'
import type { SystemInformation } from '../../../contract/metadata/system.ts'
import { useMay } from '../session/session.ts'
import { reading } from './queries.ts'

/** What S10 answers; undefined while it is loading, and for users who may not read it. */
export function useSystemInformation(): SystemInformation | undefined {
  const mayRead = useMay('system.read')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: mayRead, staleTime: 300_000 })
  return data?.body
}

/** The installation's business date; undefined while it is loading. Never the browser's date. */
export const useBusinessDate = (): string | undefined => useSystemInformation()?.systemDate
