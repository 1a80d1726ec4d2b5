declare const brand: unique symbol

/** A number or string type that does not mix with others of the same representation. Exists at compile time only. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** Bytes; whole, exact up to 2^53. */
export type Bytes = Brand<number, 'Bytes'>

/** CSS pixels. */
export type CssPx = Brand<number, 'CssPx'>
