/**
 * Hands letters over for printing and posting, as PDF files in a folder. A file appears only when it is
 * complete.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../platform/database/transaction.ts'
import type { ReadAttachment, SendMessage } from '../../platform/messages/send.ts'
import { findHeading } from './documents.store.ts'
import { readPdf } from './write-letter.ts'

/**
 * Writes a letter to the folder. A repeated write after a crash produces the same file with the same bytes.
 */
export const createLetterSender =
  (db: Db, folder: string): SendMessage =>
  async ({ documentId }) => {
    const pdf = await readPdf(db, documentId!)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${documentId}.pdf`)
    await writeFile(`${file}.part`, pdf, { mode: 0o600, flush: true })
    await rename(`${file}.part`, file)
  }

/** A letter as an e-mail attachment, named as a person would name it: `Kontoutdrag 2026-06-15.pdf`. */
export const createAttachmentReader =
  (db: Db): ReadAttachment =>
  async (documentId) => {
    const { title, date } = await findHeading(db, documentId)
    const name = title.replaceAll(/[^\p{L}\p{N} -]/gu, '')
    return { filename: `${name} ${date}.pdf`, content: await readPdf(db, documentId) }
  }
