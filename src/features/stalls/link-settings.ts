import { toLinkParams, type LinkParams, type ParamsToRead } from '../../capture/client/panels.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { Gap } from '../../capture/client/state.ts'
import { DEFAULT_RULE, type StallRule, type UnknownTime, type VolumeName } from './contract.ts'

const positive = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return text !== undefined && text !== '' && Number.isFinite(value) && value > 0 ? value : fallback
}

/** Reads the rule from link parameters, with the default for each part that is missing or invalid. */
export const parseRule = ({ least, times }: ParamsToRead<'stalls'>): StallRule => ({
  leastMs: positive(least, DEFAULT_RULE.leastMs),
  timesMedian: positive(times, DEFAULT_RULE.timesMedian),
})

/** Writes a rule as link parameters; a default is left out. */
export const formatRule = (rule: StallRule): LinkParams =>
  toLinkParams('stalls', {
    least: rule.leastMs === DEFAULT_RULE.leastMs ? '' : String(rule.leastMs),
    times: rule.timesMedian === DEFAULT_RULE.timesMedian ? '' : String(rule.timesMedian),
  })

/** Parses `path = volume; path = volume`. Null: some part has another form. */
export function parseVolumes(text: string): VolumeName[] | null {
  const parts = text.split(';').filter((part) => part.trim() !== '')
  const volumes: VolumeName[] = []
  for (const part of parts) {
    const at = part.lastIndexOf('=')
    const [pathContains, volume] = [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    if (at < 0 || pathContains === '' || volume === '') return null
    volumes.push({ pathContains, volume })
  }
  return volumes
}

export const formatVolumes = (volumes: readonly VolumeName[]): string =>
  volumes.map(({ pathContains, volume }) => `${pathContains} = ${volume}`).join('; ')

/** Later than any time. Used as end of an open gap, whose growing end would change the request all the time. */
const NO_END = Number.MAX_SAFE_INTEGER as Ticks

/** Gaps during which journal writes are not known. */
export const unknownTimes = (gaps: readonly Gap[]): UnknownTime[] =>
  gaps
    .filter(({ kind }) => kind === null || kind === 'JournalWrite')
    .map(({ source, lane, startTicks, endTicks, isOpen }) => ({
      source,
      lane,
      startTicks,
      endTicks: isOpen === true ? NO_END : endTicks,
    }))
