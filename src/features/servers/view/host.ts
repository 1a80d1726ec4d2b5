/** `node1:8080` of `http://node1:8080`. */
export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '')
