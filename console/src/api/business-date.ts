import { useQuery } from '@tanstack/react-query'
import { useMay } from '../session/session.ts'
import { reading } from './queries.ts'

/** The day that the installation works on; undefined until it is known. Never the browser's own. */
export function useBusinessDate(): string | undefined {
  const mayRead = useMay('system.read')
  const { data } = useQuery({ ...reading('getSystemInformation'), enabled: mayRead, staleTime: 300_000 })
  return data?.body.systemDate ?? undefined
}
