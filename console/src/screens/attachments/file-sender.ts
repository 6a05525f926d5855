/** Sends files to a case or a debtor, each with its progress or why it was refused. */
import { attachmentTypes } from '../../../../contract/metadata/attachments.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { upload } from '../../api/upload.ts'
import { createStore } from '../../store.ts'
import { i18n } from '../../texts/languages.ts'
import { problemDetail, problemTitle } from '../../widgets/problem-alert.tsx'

export type AttachmentPlace = { caseGuid: string } | { debtorGuid: string }

export interface SentFile {
  key: number
  file: File
  /** From 0 to 1. */
  share: number
  attachmentGuid?: string
  /** Why it was refused. */
  fault?: string
}

interface SenderSettings {
  about: AttachmentPlace
  /** They wait for a note or a call that is still written. */
  draft: boolean
  onSent?: () => void
}

interface Sending {
  work: Promise<void>
  stop: AbortController
}

export const refreshAttachments = () =>
  refresh('listCaseAttachments', 'listDebtorAttachments', 'listTimeline', 'listAuditEntries')

let lastKey = 0

export class FileSender {
  readonly files = createStore<readonly SentFile[]>([])
  readonly #sending = new Map<number, Sending>()
  #settings: SenderSettings
  /** Files go one after the other: the service limits how much of a user's it holds at once. */
  #turn: Promise<void> = Promise.resolve()

  constructor(settings: SenderSettings) {
    this.#settings = settings
  }

  add(files: Iterable<File>): void {
    const added = [...files].map((file) => ({ key: ++lastKey, file, share: 0 }))
    this.files.set((former) => [...former, ...added])
    for (const one of added) this.#start(one)
  }

  retry({ key, file }: SentFile): void {
    const again = { key, file, share: 0 }
    this.files.set((former) => former.map((one) => (one.key === key ? again : one)))
    this.#start(again)
  }

  /** A draft is of one case: for another one its file is sent again. */
  moveTo(about: AttachmentPlace): void {
    this.#settings = { ...this.#settings, about }
    for (const one of this.files.get()) this.retry(one)
  }

  remove({ key, attachmentGuid }: SentFile): void {
    this.#sending.get(key)?.stop.abort()
    this.files.set((former) => former.filter((one) => one.key !== key))
    // The purge takes what is left.
    if (attachmentGuid !== undefined) void api.deleteAttachment({ attachmentGuid }).catch(() => undefined)
  }

  /** Waits for what is being sent and gives it to a note or a call. Returns the names of files that were refused. */
  async giveTo(owner: { noteGuid: string } | { callGuid: string }): Promise<string[]> {
    await Promise.all([...this.#sending.values()].map(({ work }) => work))
    for (const { key, attachmentGuid } of this.files.get()) {
      if (attachmentGuid === undefined) continue
      await api.updateAttachment({ attachmentGuid, body: owner })
      this.files.set((former) => former.filter((one) => one.key !== key))
    }
    await refreshAttachments()
    return this.files.get().map(({ file }) => file.name)
  }

  #change(key: number, part: Partial<SentFile>): void {
    this.files.set((former) => former.map((one) => (one.key === key ? { ...one, ...part } : one)))
  }

  #start({ key, file }: SentFile): void {
    this.#sending.get(key)?.stop.abort()
    const fault = findFault(file)
    if (fault !== undefined) return this.#change(key, { fault })
    const stop = new AbortController()
    const settings = this.#settings
    const { draft, onSent } = settings
    const work = this.#turn
      .then(() => {
        stop.signal.throwIfAborted()
        return sendFile(settings, file, (share) => this.#change(key, { share }), stop.signal)
      })
      .then((attachmentGuid) => {
        if (draft) this.#change(key, { attachmentGuid, share: 1 })
        else this.files.set((former) => former.filter((one) => one.key !== key))
        onSent?.()
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          this.#change(key, { fault: `${problemTitle(error)}. ${problemDetail(error)}` })
      })
      .finally(() => {
        if (this.#sending.get(key)?.stop === stop) this.#sending.delete(key)
      })
    this.#turn = work
    this.#sending.set(key, { work, stop })
  }
}

/** Told before it is sent, in the language of the user. */
function findFault({ name, size }: File): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!Object.hasOwn(attachmentTypes, ending)) return i18n.t('attachments.kinds')
  return size === 0 ? i18n.t('attachments.isEmpty') : undefined
}

function sendFile(
  { about, draft }: SenderSettings,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const input = { fileName: file.name.slice(-255), draft, body: file }
  return upload(file, onProgress, async (client) => {
    const { attachmentGuid } =
      'caseGuid' in about
        ? await client.attachToCase({ ...input, caseGuid: about.caseGuid }, { signal })
        : await client.attachToDebtor({ ...input, debtorGuid: about.debtorGuid }, { signal })
    return attachmentGuid
  })
}
