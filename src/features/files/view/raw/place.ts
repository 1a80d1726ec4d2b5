/** Target of a jump: a half-open range of bytes. A new object each time, so that a repeated jump counts. */
export interface Place {
  readonly at: number
  readonly end: number
}
