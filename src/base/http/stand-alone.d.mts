/** Header of a request that has the key. */
export const KEY_HEADER: string
/** Parameter of a websocket that has it. */
export const KEY_PARAMETER: string
/** Its name in the storage of the page's origin. */
export const KEY_STORED: string
