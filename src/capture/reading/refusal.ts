/** A file, or a part of it, that is not read: in one sentence what was expected, what was found, and where. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}

/** It is whole, but no document that a panel can show. */
export class UnknownDocument extends Refusal {
  override readonly name = 'UnknownDocument'
}
