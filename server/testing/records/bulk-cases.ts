/** Bulk actions on cases of a test: cases that a filter finds, and runs from beginning to end. */
import assert from 'node:assert/strict'
import type { BulkAction, BulkRow } from '../../../contract/work/bulk-actions.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../api.ts'
import { runJobs, waitForJob } from '../jobs.ts'
import { openSwedishCases } from './cases.ts'

export const countRows = ({ status, found, toDo, done, refused, undone }: BulkAction) =>
  [status, found, toDo, done, refused, undone] as const

export class BulkCases {
  readonly api: TestApi
  readonly at: Awaited<ReturnType<typeof openSwedishCases>>
  #runner: JobRunner | undefined
  #names = 0

  private constructor(api: TestApi, at: Awaited<ReturnType<typeof openSwedishCases>>) {
    this.api = api
    this.at = at
  }

  static async start(): Promise<BulkCases> {
    const api = await startApi()
    const at = await openSwedishCases(api)
    return new BulkCases(api, at)
  }

  /** Cases whose debtors have a name of their own, and the filter that finds them. */
  async openNamed(count: number, input: object = {}): Promise<{ caseGuids: string[]; filter: string }> {
    const name = `Massa ${++this.#names}`
    const caseGuids: string[] = []
    for (let n = 0; n < count; n++) {
      const made = await this.at.register({ dueDate: '2026-05-15', ...input })
      await this.api.call('PATCH', `/debtors/${made.debtorGuid}`, { body: { lastname: name } })
      caseGuids.push(made.caseGuid)
    }
    return { caseGuids, filter: `mainDebtorName eq '${name}'` }
  }

  begin(body: object, token = this.api.token) {
    return this.api.call<BulkAction>('POST', '/bulkactions', { body: { list: 'cases', ...body }, token })
  }

  async read(guid: string, token = this.api.token): Promise<BulkAction> {
    return (await this.api.call<BulkAction>('GET', `/bulkactions/${guid}`, { token })).body
  }

  async listRows(guid: string, filter: string): Promise<BulkRow[]> {
    const path = `/bulkactions/${guid}/rows?$filter=${encodeURIComponent(filter)}`
    return (await this.api.call<{ value: BulkRow[] }>('GET', path)).body.value
  }

  /** Starts the action and waits for its end. */
  async run(body: object, token = this.api.token): Promise<BulkAction> {
    await this.startJobs()
    const begun = await this.begin(body, token)
    assert.equal(begun.status, 202, begun.text)
    await waitForJob(this.api, begun.body.jobId)
    return this.read(begun.body.bulkActionGuid, token)
  }

  async undo(guid: string): Promise<BulkAction> {
    await this.startJobs()
    const begun = await this.api.call<BulkAction>('POST', `/bulkactions/${guid}/undo`)
    assert.equal(begun.status, 202, begun.text)
    await waitForJob(this.api, begun.body.jobId)
    return this.read(guid)
  }

  async readCase(caseGuid: string) {
    const path = `/cases/${caseGuid}`
    return (await this.api.call<{ status: string; subStatus: string; hold: string | null }>('GET', path)).body
  }

  async startJobs(): Promise<void> {
    this.#runner ??= await runJobs(this.api)
  }

  async stopJobs(): Promise<void> {
    await this.#runner?.stop()
    this.#runner = undefined
  }

  async close(): Promise<void> {
    await this.stopJobs()
    await this.api.close()
  }
}
