/** A request that the admin API does not grant. The message is all the caller sees. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
