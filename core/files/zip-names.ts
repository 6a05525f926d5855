const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endBytes = 22
/** The end record has a comment of at most this length behind it. */
const commentBytesMax = 0xffff

/** The names in a ZIP archive, in the order of its directory. Undefined when there is no readable directory. */
export function listZipNames(content: Uint8Array): string[] | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const end = findEnd(view)
  if (end === undefined) return undefined
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const names: string[] = []
  for (let number = 0; number < count; number++) {
    if (at + 46 > end || view.getUint32(at, true) !== entrySignature) return undefined
    const nameBytes = view.getUint16(at + 28, true)
    names.push(new TextDecoder('latin1').decode(content.subarray(at + 46, at + 46 + nameBytes)))
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return names
}

/** Where the end record is, looked for from the end on. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - endBytes
  for (let at = last; at >= Math.max(0, last - commentBytesMax); at--)
    if (view.getUint32(at, true) === endSignature) return at
  return undefined
}
