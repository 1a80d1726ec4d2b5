/** A file, or a part of it, that is not read: in one sentence what was expected, what was found, and where. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
