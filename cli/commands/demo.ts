import { writeDemo } from '../demo/write-demo.ts'
import { report } from '../settings.ts'

export async function runDemo(options: { debtors: number; seed: number; out: string }): Promise<void> {
  await writeDemo({
    ...options,
    report: ({ written, debtors }) => report(`${written} of ${debtors} debtors written`),
  })
}
