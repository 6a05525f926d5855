import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { workbookType } from '../../../../core/spreadsheet/workbook.ts'
import { api } from '../../api/client.ts'

/** A template as a file to save. */
export async function readTemplate(what: ImportedKind, format: 'csv' | 'xlsx'): Promise<Blob> {
  const { body } = await api.withAnswer.getImportTemplate({ what, format })
  // In formats other than JSON, the answer is the bytes of the file.
  const bytes = body as unknown as Uint8Array<ArrayBuffer>
  return new Blob([bytes], { type: format === 'csv' ? 'text/csv;charset=utf-8' : workbookType })
}
