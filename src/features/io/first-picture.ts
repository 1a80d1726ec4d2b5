import { FOLD_LEAST, foldRule } from '../../capture/client/fold-rule.ts'
import type { FirstPicture } from '../../capture/client/requests/first-picture.ts'
import { nearSight } from '../../charts/timeline/lanes/near-sight.ts'
import { buildTimeScale, NO_FOLDS } from '../../charts/scale.ts'
import { lanesParams, marksParams, overviewParams, scopeOf } from './view/requests.ts'
import { parseSettings } from './view/params.ts'
import { chooseThinPitch, layoutLanes, SUMMARY_PX } from './view/timeline/layout.ts'

/**
 * Sends the panel's requests for opened files, with the parameters that the panel uses: all drawn data. Sums and lists
 * are left to the panel, because rendering them takes as long as everything else and would delay the lanes.
 */
export const ioFirstPicture: FirstPicture = async (request, { params, sizes, sources, range, known, gaps }) => {
  const size = sizes.get('io')
  const settings = parseSettings(params)
  const { lanes, all } = await request('io.lanes', lanesParams(sources, settings))
  if (all === 0) return
  const own = gaps.filter(({ source }) => sources.includes(source))
  const rule = settings.fold
    ? foldRule((await request('io.idle', { sources, minTicks: FOLD_LEAST })).spans, own)
    : NO_FOLDS
  if (size === undefined) return
  await request('io.overview', overviewParams(scopeOf(sources, settings), known, size.overviewPx))
  if (settings.lanes !== 'durations') return
  const { tracks } = layoutLanes(lanes, sources, settings, chooseThinPitch(lanes.length, size.bodyPx - SUMMARY_PX))
  const sight = { scrollPx: 0, heightPx: size.plotHeightPx, widthPx: size.plotWidthPx }
  const scale = buildTimeScale({ range, widthPx: size.plotWidthPx, rule })
  await request('io.marks', marksParams(nearSight(sight, tracks), scale, rule, settings.filter))
}
