/** A wheel, the archive that pip installs: a ZIP of the package and its metadata (PyPA binary distribution format 1.0). */
import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

export interface PythonPackage {
  name: string
  version: string
  summary: string
  license: string
  readme: string
  /** Text by path below the archive. */
  files: Readonly<Record<string, string>>
}

export const wheelName = ({ name, version }: Pick<PythonPackage, 'name' | 'version'>) =>
  `${name}-${version}-py3-none-any.whl`

/** The same bytes for the same content. */
export function makeWheel(contents: PythonPackage): Buffer {
  const { name, version, summary, license, readme, files } = contents
  const info = `${name}-${version}.dist-info`
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name.replaceAll('_', '-')}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    `License: ${license}`,
    'Requires-Python: >=3.9',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ]
  const wheel = ['Wheel-Version: 1.0', 'Generator: fordra', 'Root-Is-Purelib: true', 'Tag: py3-none-any', '']
  const all: Record<string, string> = {
    ...files,
    [`${info}/METADATA`]: metadata.join('\n'),
    [`${info}/WHEEL`]: wheel.join('\n'),
  }
  const record = [...Object.entries(all).map(([path, text]) => recordLine(path, text)), `${info}/RECORD,,`]
  return zip({ ...all, [`${info}/RECORD`]: `${record.join('\n')}\n` })
}

const recordLine = (path: string, text: string) =>
  `${path},sha256=${createHash('sha256').update(text).digest('base64url')},${Buffer.byteLength(text)}`

/** 1980-01-01, the first day that a ZIP can name, so that a wheel depends on its content alone. */
const dosDate = 0x21
const utf8Names = 0x800
const deflated = 8
const version20 = 20
const regularFile = (0o100644 << 16) >>> 0

/** A ZIP archive (APPNOTE 6.3.3): each file with its header, then the central directory. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version20, 0)
    common.writeUInt16LE(utf8Names, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt16LE(dosDate, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([signature(0x04034b50), common, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(regularFile, 6)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([signature(0x02014b50), unixVersion, common, place, name]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, signature(0x06054b50), end])
}

/** Made on Unix, whose file modes count. */
const unixVersion = Buffer.from([version20, 3])

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
