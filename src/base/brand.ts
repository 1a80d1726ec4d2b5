declare const brand: unique symbol

/** A number (or string) that must not be mixed with others of its representation. Costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** Bytes; whole, exact up to 2^53. */
export type Bytes = Brand<number, 'Bytes'>

/** CSS pixels. */
export type CssPx = Brand<number, 'CssPx'>
