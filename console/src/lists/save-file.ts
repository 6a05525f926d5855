/** Downloads a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Downloads the answer of an operation in a format other than JSON: the bytes of a file. */
export const saveBytes = (answer: unknown, type: string, name: string): void =>
  saveFile(new Blob([answer as Uint8Array<ArrayBuffer>], { type }), name)
