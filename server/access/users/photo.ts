import type { FieldErrors } from '../../platform/http/errors.ts'

const bytesMax = 1_048_576

/** The first bytes of each allowed image type. SVG is not allowed: it can hold a script. */
const signatures: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (bytes) => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')),
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
}
const types = Object.keys(signatures).join(', ')

/** Checks by its bytes that a photo is an image of the stated type, and at most 1 MiB. */
export function checkPhoto(
  photo: { photoImageType: string | null; photoImage: string | null },
  givenImage: string | null | undefined,
  checks: FieldErrors,
): void {
  // What is given without a type is not kept, but is refused when it is no photo at all.
  const given = photo.photoImage ?? givenImage ?? ''
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(given) || given.length % 4 !== 0) {
    checks.add('photoImage', 'must be base64 with padding and without spaces.')
    return
  }
  if (photo.photoImage === null || photo.photoImageType === null) return
  const begins = signatures[photo.photoImageType.toLowerCase()]
  if (!begins) {
    checks.add('photoImageType', `must be one of ${types}.`)
    return
  }
  const bytes = Buffer.from(photo.photoImage, 'base64')
  if (bytes.length > bytesMax) checks.add('photoImage', 'must be at most 1 MiB.')
  else if (!begins(bytes)) checks.add('photoImage', `is not an image of the type ${photo.photoImageType}.`)
  else photo.photoImageType = photo.photoImageType.toLowerCase()
}
