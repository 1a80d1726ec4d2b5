/** Where the official Studio lies beside this one, to be joined with a hash; null: it does not. */
export const studioBeside = (pathname: string): string | null =>
  /\/studio\/rookery\/(?:index\.html)?$/.test(pathname) ? '../index.html' : null
