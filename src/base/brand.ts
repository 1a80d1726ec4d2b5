declare const brand: unique symbol

/** A number (or string) that must not be mixed with others of its representation. Costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/**
 * A point in time: whole 100 ns ticks (the server's own resolution) since 2020-01-01T00:00:00Z.
 * A double holds each of them exactly from 1991 to 2048; milliseconds since 1970 would lose the last digit.
 * A view's edges may be fractional; a row's never are.
 */
export type Ticks = Brand<number, 'Ticks'>

/** A length of time in whole 100 ns ticks. */
export type TickSpan = Brand<number, 'TickSpan'>

/** Bytes; whole, exact up to 2^53. */
export type Bytes = Brand<number, 'Bytes'>

/** CSS pixels. */
export type CssPx = Brand<number, 'CssPx'>
