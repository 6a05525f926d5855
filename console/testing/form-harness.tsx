/** One form from a definition of the specification's shape, with a source whose doings the test can see. */
import '@mantine/core/styles.css'
import '../src/console.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiProblem } from '../../client/client.ts'
import { queryClient } from '../src/api/queries.ts'
import type { FormField, FormSource } from '../src/forms/definition.ts'
import { FormView } from '../src/forms/form-view.tsx'
import { startTexts } from '../src/texts/languages.ts'
import { resolveColours, theme } from '../src/theme.ts'

const field = (code: string, label: string, more: Partial<FormField> = {}): FormField => ({
  code,
  editCode: code,
  displayCode: code,
  type: 'string',
  displayType: 'input',
  shortLabel: label,
  longLabel: label,
  description: '',
  lookupCode: '',
  minValue: '',
  maxValue: '',
  specificValues: '',
  length: 0,
  multiline: 1,
  required: false,
  mustMatchLookup: false,
  ...more,
})

const seen = {
  /** Recalculations that were sent without a principal. */
  sentWithout: 0,
  submitted: [] as unknown[],
  searched: [] as string[],
  done: 0,
  /** While it is true, a recalculation answers only when `answer` is called. */
  holdsAnswer: false,
  answer: undefined as (() => void) | undefined,
}
declare global {
  interface Window {
    seen: typeof seen
  }
}
window.seen = seen

const towns = ['Lund', 'Malmö', 'Ystad'].map((text, index) => ({ key: `T${index}`, text }))
const source: FormSource = {
  definition: {
    title: 'Claim',
    submitMethod: 'POST',
    submitBtnText: 'Register',
    recalc: [{ recalcCode: 'totals', btnText: '', fields: ['principal', 'fee'] }],
    groups: [
      {
        label: 'Amounts',
        columns: 2,
        noTopDivider: true,
        fields: [
          field('principal', 'Principal', {
            type: 'money',
            displayType: 'money',
            required: true,
            minValue: '1',
            maxValue: '1000',
          }),
          field('fee', 'Fee', { type: 'money', displayType: 'money', description: 'Costs from before.' }),
          field('total', 'Total', { type: 'money', displayType: 'readonly', description: 'All together.' }),
          field('count', 'Instalments', { type: 'integer' }),
        ],
      },
      {
        label: 'More',
        columns: 3,
        noTopDivider: false,
        fields: [
          field('town', 'Town', {
            type: 'lookup',
            displayType: 'typeahead',
            lookupCode: 'town',
            mustMatchLookup: true,
            description: 'Where it is.',
          }),
          field('district', 'District', {
            type: 'lookup',
            displayType: 'typeahead',
            lookupCode: 'town',
            description: 'Or one that is not listed.',
          }),
          field('grade', 'Grade', {
            displayType: 'select',
            specificValues: 'A,B',
            description: 'Grade',
          }),
          field('note', 'Note', {
            type: 'text',
            displayType: 'textarea',
            multiline: 3,
            length: 10,
            description: 'For colleagues.',
          }),
          field('due', 'Due', { type: 'date', displayType: 'date' }),
          field('paid', 'Paid', {
            type: 'boolean',
            displayType: 'checkbox',
            description: 'Nothing remains.',
          }),
        ],
      },
    ],
  },
  values: { fee: 50, town: 'T1' },
  submit: (values) => {
    seen.submitted.push(values)
    if (values['note'] !== 'bad') return Promise.resolve({})
    const problem = {
      type: '/problems/unprocessable',
      title: 'Against a rule',
      status: 422,
      detail: 'note is bad.',
      instance: '/',
      code: 'unprocessable',
      errors: { note: ['is not a good note.'] },
    }
    return Promise.reject(new ApiProblem(problem, new Headers()))
  },
  recalculate: async (_code, values) => {
    if (values['principal'] === undefined) seen.sentWithout += 1
    if (seen.holdsAnswer) await new Promise<void>((resolve) => (seen.answer = resolve))
    return { ...values, total: Number(values['principal'] ?? 0) + Number(values['fee'] ?? 0) }
  },
  lookup: (_code, text) => {
    seen.searched.push(text)
    return Promise.resolve(towns.filter((town) => town.text.toLowerCase().includes(text.toLowerCase())))
  },
  describe: (_code, key) => Promise.resolve(towns.find((town) => town.key === key)?.text ?? key),
}

const root = createRootRoute({
  component: () => <FormView source={source} onDone={() => (seen.done += 1)} />,
})
const router = createRouter({ routeTree: root, history: createMemoryHistory() })

await startTexts()
createRoot(document.querySelector('#root')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={resolveColours}>
    <QueryClientProvider client={queryClient}>
      <h1>A form</h1>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </MantineProvider>,
)
