import type { Slice } from '../access/serve/slice.ts'
import type { CommandHandler } from '../platform/jobs/command.ts'
import { runChunks } from '../platform/jobs/chunked-work.ts'
import { checkPlans } from './check-plans.ts'
import { planForms } from './plans.forms.ts'
import { servePlans } from './plans.routes.ts'

const checkPlansCommand: CommandHandler = {
  command: 'check-payment-plans',
  run: async ({ sql, origin, progress }) => {
    const work = checkPlans()
    const total = await work.count(sql, origin)
    return { ...(await runChunks(sql, work, origin, (worked) => progress(Math.min(worked, total), total))) }
  },
}

export const plansSlice: Slice = {
  routes: [servePlans],
  forms: planForms,
  commands: () => [checkPlansCommand],
  dayEnd: (chunkRows) => [{ name: 'check-payment-plans', work: checkPlans(chunkRows) }],
}
