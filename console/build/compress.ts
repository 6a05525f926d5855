import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compressBest = promisify(brotliCompress)
/** Smaller files gain less than their headers cost. */
const bytesMin = 1024

/** Writes a compressed copy beside each file. The best quality takes seconds, which a server does not have. */
export const compressFiles: Plugin = {
  name: 'compress-files',
  async writeBundle({ dir }) {
    const folder = join(dir!, 'assets')
    const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json)$/.test(name))
    await Promise.all(
      names.map(async (name) => {
        const plain = await readFile(join(folder, name))
        if (plain.length < bytesMin) return
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
        await writeFile(join(folder, `${name}.br`), await compressBest(plain, { params }))
      }),
    )
  },
}
