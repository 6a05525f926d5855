import { open, type FileHandle } from 'node:fs/promises'
import type { ByteSource } from './zip-file.ts'

/** A file read at any position. */
export async function fileSource(path: string): Promise<ByteSource & { close(): Promise<void> }> {
  const file: FileHandle = await open(path, 'r')
  return {
    bytes: (await file.stat()).size,
    read: async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}
