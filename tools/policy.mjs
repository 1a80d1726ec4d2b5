// @ts-check
/**
 * Rights of the page and its worker: own origin only, no inline script, no eval, no HTML from strings. The page's `<meta>`
 * carries them, and the worker inherits them because a `blob:` starts it (`src/app/connect.ts`); a server of ours sends them.
 */
export const POLICY = [
  "default-src 'none'",
  // The readers of files and frames are WebAssembly, which without that word is refused like eval.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  // Same-origin ws: and wss: as well.
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rookery',
].join('; ')
