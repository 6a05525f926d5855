import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const styles = join(import.meta.dirname, '../../node_modules/@mantine/core/styles')

/**
 * Loads the styles of the Mantine components that are used, with the code that uses them. They stand in the layer
 * `mantine`, so that our own styles win whatever the order of loading.
 */
export const componentStyles: Plugin = {
  name: 'component-styles',
  enforce: 'pre',
  transform: {
    filter: { id: /@mantine\/core\/esm\/components\/.*\.module\.mjs$/ },
    handler(code, id) {
      const name = /(\w+)\.module\.mjs$/.exec(id)![1]!
      const file = `${name}.layer.css`
      return existsSync(join(styles, file)) ? `import '@mantine/core/styles/${file}'\n${code}` : null
    },
  },
}
