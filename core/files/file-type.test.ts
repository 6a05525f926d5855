import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeZip } from '../spreadsheet/zip.ts'
import { cleanFileName } from './file-name.ts'
import { findFileType, pdfRuns } from './file-type.ts'

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

async function zip(names: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of writeZip(names.map((name) => ({ name, content: ['x'] })))) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

test('a type is told by the content', async () => {
  const known: [content: string, type: string | undefined][] = [
    ['%PDF-1.4\n', 'application/pdf'],
    ['\xff\xd8\xff\xe0..JFIF', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF1234WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x18ftypheic', 'image/heic'],
    ['II*\0', 'image/tiff'],
    ['Hej\r\n\tdå', 'text/plain'],
    ['MZ\0\x01', undefined],
    ['PK\x03\x04 no directory', undefined],
  ]
  for (const [content, type] of known) assert.equal(findFileType(bytes(content)), type, content)
  const word = ['[Content_Types].xml', 'word/document.xml']
  assert.match(findFileType(await zip(word))!, /wordprocessingml/)
  assert.equal(findFileType(await zip([...word, 'word/vbaProject.bin'])), undefined)
  assert.equal(findFileType(await zip(['evil.exe'])), undefined)
})

test('a PDF that starts something is told', () => {
  assert.equal(pdfRuns(bytes('%PDF-1.4 << /S /JavaScript /JS (app.alert(1)) >>')), true)
  assert.equal(pdfRuns(bytes('%PDF-1.4 << /S /Launch >>')), true)
  assert.equal(pdfRuns(bytes('%PDF-1.4 << /Type /Page >>')), false)
})

test('a name is kept without what a file system or a reader could be misled by', () => {
  const names: [given: string, kept: string | undefined][] = [
    ['Avtal Åsa.PDF', 'Avtal Åsa.pdf'],
    ['../../etc/contract.pdf', 'contract.pdf'],
    ['C:\\Users\\a\\contract.pdf', 'contract.pdf'],
    ['a\u202Efdp.txt', 'afdp.txt'],
    ['a<b>:"|?*.txt', 'a_b______.txt'],
    ['con.txt', '_con.txt'],
    ['. .hidden.txt', 'hidden.txt'],
    ['.txt', undefined],
    ['none', undefined],
  ]
  for (const [given, kept] of names) assert.equal(cleanFileName(given)?.name, kept, given)
  assert.equal(cleanFileName(`${'x'.repeat(300)}.pdf`)!.name.length, 200)
})
