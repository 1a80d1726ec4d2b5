/** A file, or a part of it, that is not read: in one sentence what was expected, what was found, and where. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}

/** A whole document, but none that a panel can show. */
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
