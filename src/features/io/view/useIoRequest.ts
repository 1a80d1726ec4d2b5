import { useAsk as useCaptureAsk, type Asked as CaptureAsked } from '../../../capture/client/useRequest.ts'
import type { IoQueries } from '../contract.ts'

export type Asked<Name extends keyof IoQueries> = CaptureAsked<IoQueries[Name]['answer']>

/** `useAsk` of the capture with the types of the I/O questions. */
export const useAsk = <Name extends keyof IoQueries>(
  name: Name,
  ask: IoQueries[Name]['ask'] | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Name> => useCaptureAsk<IoQueries[Name]['answer']>(name, ask, key, version, everyMs)
