import { extname } from 'node:path'

/** The address of the module `name` beside the module `from`: TypeScript in a checkout, JavaScript in a package. */
export const besideModule = (name: string, from: string): URL => new URL(`${name}${extname(from)}`, from)
