/** Error for a file, or a part of it, that is not read: expectation, finding and position in one sentence. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}

/** A complete document, but of a kind that no panel can show. */
export class UnknownDocument extends Refusal {
  override readonly name = 'UnknownDocument'
}

/** An archive where a document was expected. */
export class NestedArchive extends Refusal {
  override readonly name = 'NestedArchive'
  readonly container: string

  constructor(container: string) {
    super(`Unpack it once and open what is inside: it is a ${container} inside of another archive.`)
    this.container = container
  }
}
