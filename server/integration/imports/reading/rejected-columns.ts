/** The columns that rejected rows get. The import leaves them out, so that a corrected file can be imported as it is. */
export const rejectedColumns = ['rejectedLine', 'rejectedReason'] as const

export const isRejectedColumn = (heading: string): boolean =>
  rejectedColumns.some((one) => one.toLowerCase() === heading.trim().toLowerCase())
