import { refresh } from '../../api/queries.ts'

export const refreshTemplates = (): Promise<unknown> =>
  refresh('listLetterTemplates', 'getLetterTemplate', 'getLetterTemplateVersion')
