/** Any schema of the Standard Schema specification: zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown> {
  /** The properties that the specification requires. */
  readonly '~standard': {
    /** Version of the specification. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Returns what it makes of a value, or the issues it has with it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Types of its input and output, for the type checker only. */
    readonly types?:
      | {
          /** Type of its input. */
          readonly input: unknown
          /** Type of its output. */
          readonly output: Output
        }
      | undefined
  }
}
/** @internal */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly StandardKey[] | undefined }[] }
/** @internal */
type StandardKey = PropertyKey | { readonly key: PropertyKey }
