import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const styles = join(dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))), 'styles')

/**
 * Loads the styles of the Mantine components that are used, with the code that uses them. They stand in the layer
 * `mantine`, so that our own styles win whatever the order of loading.
 */
export const componentStyles: Plugin = {
  name: 'component-styles',
  enforce: 'pre',
  transform: {
    filter: { id: /@mantine\/core\/esm\/(components|utils)\/.*\.module\.mjs$/ },
    handler(code, id) {
      const name = /(\w+)\.module\.mjs$/.exec(id)![1]!
      const file = `${name}.layer.css`
      return existsSync(join(styles, file)) ? `import '@mantine/core/styles/${file}'\n${code}` : null
    },
  },
}
