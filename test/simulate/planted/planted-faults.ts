/** Faults that the simulator has to find. Each changes one place of one file. */
export interface PlantedFault {
  what: string
  file: string
  from: string
  to: string
}

export const plantedFaults: Record<string, PlantedFault> = {
  'answer-not-kept': {
    what: 'the answer to an idempotency key is not kept',
    file: 'server/platform/http/idempotency.ts',
    from: 'await insertAnswer(tx, request, requestHash, { ...answer, body: storedBody ?? answer.body })',
    to: '',
  },
  'other-replay': {
    what: 'the repetition of an answer has another body',
    file: 'server/platform/http/idempotency.ts',
    from: 'if (stored) return { answer: stored, replayed: true }',
    to: "if (stored) return { answer: { ...stored, body: stored.body.replace(/\\d/, '7') }, replayed: true }",
  },
  'answer-outside': {
    what: 'the answer is given although the transaction is rolled back now and then',
    file: 'server/platform/http/idempotency.ts',
    from: 'return { answer, replayed: false }',
    to: "if (Math.random() < 0.1) await tx.unsafe('rollback; begin')\n      return { answer, replayed: false }",
  },
}
