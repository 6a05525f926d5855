import { useQuery } from '@tanstack/react-query'
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import type { LetterKind } from '../../../../../contract/collection/documents.ts'
import type { BulkLetters } from '../../../../../contract/work/bulk-letters.ts'
import { reading } from '../../../api/queries.ts'

export interface Letter {
  kind: LetterKind
  dueDate: string | null
}

type Chosen = { filter: string } | { rows: readonly AllCasesItem[] }

export interface Foreseen {
  data: BulkLetters | undefined
  error: unknown
}

/** How many letters go to how many debtors, and which cases are refused. Nothing is requested before the letter is complete. */
export function useForeseenLetters(letter: Letter | undefined, chosen: Chosen): Foreseen {
  const which =
    'rows' in chosen
      ? { caseGuids: chosen.rows.map(({ caseGuid }) => caseGuid) }
      : { filter: chosen.filter === '' ? null : chosen.filter }
  const body = { kind: letter?.kind ?? '', dueDate: letter?.dueDate ?? null, ...which }
  const { data, error } = useQuery({
    ...reading('foreseeBulkLetters', { body }),
    enabled: letter !== undefined,
  })
  return { data: letter && data?.body, error }
}
