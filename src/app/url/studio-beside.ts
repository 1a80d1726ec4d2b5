/** Path of the official Studio beside this one, to be joined with a hash; null: there is none. */
export const studioBeside = (pathname: string): string | null =>
  /\/studio\/rookery\/(?:index\.html)?$/.test(pathname) ? '../index.html' : null
