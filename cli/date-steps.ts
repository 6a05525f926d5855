import type { DateStep } from '../server/platform/clock/business-clock.ts'

/**
 * The date steps of the service, loaded when the date has to move: they bring all of it with them, which takes a program
 * 100 MB and half of its start.
 */
export const dateSteps: readonly DateStep[] = [
  async (tx, dates) => {
    const service = await import('../server/app.ts')
    for (const step of service.dateSteps) await step(tx, dates)
  },
]
