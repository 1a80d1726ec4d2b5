/** Target of a jump: bytes of the document, half open. A new object each time, so that going there again counts. */
export interface Place {
  readonly at: number
  readonly end: number
}
