/** What the drawn suite measures: each family of requests, by whom it is asked and beside what. */
import type { CallerKind } from '../load/portfolio.ts'
import { families } from './drawn-reads.ts'

/** `beside`: beside ten writes a second. `mixed`: all kinds at once. */
export type Mode = 'alone' | 'beside' | 'mixed'

export interface Cell {
  family: string
  caller: CallerKind
  mode: Mode
}

export const callerKinds: readonly CallerKind[] = ['unrestricted', 'large', 'small']
/** The families of writes, by the members that change; null for a new debtor. */
export const writeFamilies: Record<string, readonly string[] | null | undefined> = {
  'update any member': undefined,
  'update e-mail': ['email', 'conversationNotificationEmail'],
  'update phone': ['cellularPhone', 'homePhone', 'workPhone', 'conversationNotificationCellularPhone'],
  'update name': ['fullName', 'firstname', 'middlename', 'lastname', 'nameSuffix'],
  'update address': ['street', 'houseNo', 'city', 'zipCode'],
  'update birth date': ['dateOfBirth'],
  'update place of birth': ['placeOfBirth'],
  create: null,
}

export const isWrite = (family: string): boolean => Object.hasOwn(writeFamilies, family)
export const cellName = ({ family, caller, mode }: Cell): string => [family, caller, mode].join(', ')

export function listCells(only: readonly string[]): Cell[] {
  const reads = families.flatMap(({ name, unrestrictedOnly }) => [
    ...callerKinds
      .filter((caller) => caller === 'unrestricted' || !unrestrictedOnly)
      .map((caller): Cell => ({ family: name, caller, mode: 'alone' })),
    { family: name, caller: 'unrestricted', mode: 'beside' } as const,
  ])
  const writes = Object.keys(writeFamilies).map((family): Cell => ({
    family,
    caller: 'unrestricted',
    mode: 'alone',
  }))
  const mixed = callerKinds.map((caller): Cell => ({ family: 'all kinds', caller, mode: 'mixed' }))
  return [...reads, ...mixed, ...writes].filter(
    (cell) => only.length === 0 || only.some((start) => cellName(cell).startsWith(start)),
  )
}
