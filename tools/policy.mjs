// @ts-check
/**
 * Content security policy of the page and its worker: own origin only, no inline script, no eval, no HTML from strings.
 * The page contains it in its `<meta>`, and the worker inherits it because a `blob:` starts it (`src/capture/client/own-worker.ts`).
 * The project's own servers send it as a header.
 */
export const POLICY = [
  "default-src 'none'",
  // The readers of files and frames are WebAssembly, which without this keyword is refused like eval.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  // Includes ws: and wss: of the same origin.
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
