import { version } from '../../package.json'

/** Of this build, from package.json. */
export const VERSION: string = version
