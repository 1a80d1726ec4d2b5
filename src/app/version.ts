import { version } from '../../package.json'

/** Version of this build, from package.json. */
export const VERSION: string = version
