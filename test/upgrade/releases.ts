/** The released versions, oldest first. A release adds an entry; its migrations never change after it. */
export interface Release {
  version: string
  commit: string
  /** How many migrations it has: the first ones of all. */
  migrations: number
  /** SHA-256 of their checksums, separated by commas. */
  checksum: string
}

export const releases: readonly Release[] = [
  {
    version: '1.0.0',
    commit: '4832f00d1a37160aaf3672cf5e7ffcc366243664',
    migrations: 21,
    checksum: '4f9fbd23be0db1d7ffa186660b8e6fed1f5a9ee61facddc224505c9e28d35b69',
  },
  {
    version: '1.1.0',
    commit: '289deaadde77154f87119e2e855eca75b5ea1156',
    migrations: 88,
    checksum: '5e1ccc7fa78492b39811feb960b366469f30988c70a5abdeeb090194f4c5ebcc',
  },
]
