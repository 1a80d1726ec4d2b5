/** Message of what was thrown, or that of its cause: an error of a stream can have none of its own. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  if (thrown.message !== '') return thrown.message
  return thrown.cause instanceof Error ? errorText(thrown.cause) : thrown.name
}
