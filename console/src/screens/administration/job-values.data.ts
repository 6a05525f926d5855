/** Members of results of jobs that have a name of their own (`job.value.` in data/texts). */
export const jobValues = [
  'actions',
  'breached',
  'checked',
  'closed',
  'completed',
  'due',
  'listedAll',
  'lifted',
  'missed',
  'missing',
  'refusals',
  'refused',
  'step',
  'steps',
  'taken',
  'would',
] as const
