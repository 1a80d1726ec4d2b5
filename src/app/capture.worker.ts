/**
 * Entry of the capture worker, which nothing may import: WebKit evaluates an entry again when another chunk imports it,
 * and the second `onmessage` would replace the first.
 */
import './capture-main.worker.ts'
