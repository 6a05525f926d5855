/** A refusal of /odata, in the form of OData (JSON Format 4.0, section 19). */
export class ODataFailure extends Error {
  readonly status: number
  readonly code: string
  /** The query option that is wrong. */
  readonly target: string | undefined
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    message: string,
    { target, headers = {} }: { target?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.target = target
    this.headers = headers
  }
}

/** For what OData has and this service has not. */
export const notImplemented = (target: string, message: string): ODataFailure =>
  new ODataFailure(501, 'not-implemented', message, { target })

export const badOption = (target: string, message: string): ODataFailure =>
  new ODataFailure(400, 'invalid', `${target}: ${message}`, { target })
