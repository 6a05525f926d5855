/** Options of one call. */
export interface CallOptions {
  /** Cancels the call and its retries. */
  signal?: AbortSignal
  /** The `etag` of the version to change; another current version is refused as `precondition-failed`. */
  ifMatch?: string
  /** For a POST that changes data. By default the client creates one, which all retries of the call share. */
  idempotencyKey?: string
  headers?: Record<string, string>
}
