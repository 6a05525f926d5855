import { useQuery } from '@tanstack/react-query'
import { useMay } from '../session/session.ts'
import { reading } from './queries.ts'

/** The installation's business date; undefined while it is loading. Never the browser's date. */
export function useBusinessDate(): string | undefined {
  const mayRead = useMay('system.read')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: mayRead, staleTime: 300_000 })
  return data?.body.systemDate ?? undefined
}
