import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useNow } from '../../../ui/hooks/now.ts'
import type { ViewParams } from '../../client/panels.ts'
import { useReading } from '../../client/requests/useRequest.ts'
import { WANT_EVERY_MS } from '../../client/requests/wanted.ts'
import { useCapture } from '../../client/view.ts'
import { isFileSource } from '../../client/state.ts'
import { NOT_READ, type LaneReading } from './composed.ts'
import type { LaneData, LaneDefinition, LaneModule, LaneView } from './lane.ts'

export interface LaneReaderProps {
  /** `chosenKey`. */
  readonly lane: string
  readonly definition: LaneDefinition
  /** View for which the lane is read; null: the plot has no size yet. */
  readonly view: LaneView | null
  /** Version of the capture. */
  readonly version: number
  /** Whether no more data will arrive. */
  readonly isEnded: boolean
  readonly onReading: (lane: string, reading: LaneReading) => void
}

/** Keeps the data of a visible lane up to date; renders nothing. */
export function LaneReader(props: LaneReaderProps): ReactNode {
  const { definition, view } = props
  if (definition.scope === 'server' && definition.isRecorded !== true && view !== null && isAllFiles(view))
    return <NotInFiles {...props} />
  return <ModuleReader {...props} />
}

const isAllFiles = ({ sources }: LaneView): boolean => sources.length > 0 && sources.every(isFileSource)

const NOT_IN_FILES: LaneData = {
  tracks: [],
  nothing: 'not in files',
  summarize: () => '',
  legend: [],
  hasGap: () => false,
  gaps: [],
}

/** A lane of the live server, which could be mistaken for one of the files. */
function NotInFiles({ lane, onReading }: LaneReaderProps): null {
  useEffect(() => onReading(lane, { ...NOT_READ, data: NOT_IN_FILES }), [lane, onReading])
  return null
}

function ModuleReader(props: LaneReaderProps): ReactNode {
  const { definition } = props
  const { data } = useQuery({
    queryKey: ['lane', definition.id],
    queryFn: async () => (await definition.load()).default,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data === undefined ? null : <Reader {...props} module={data} />
}

/** Interval, ms: figures of a server arrive without a new version of the capture. */
const FIGURES_EVERY_MS = 5000

function Reader({ module, ...props }: LaneReaderProps & { readonly module: LaneModule }): null {
  const { lane, definition, view, isEnded, onReading } = props
  const step = Math.floor(useNow() / FIGURES_EVERY_MS)
  const isOfFigures = definition.scope === 'server' && !isEnded
  const version = isOfFigures ? `${String(props.version)} ${String(step)}` : props.version
  const { response, error } = useReading(`reading ${lane}`, module.read, view ?? undefined, {
    version,
    everyMs: module.everyMs,
    changedEveryMs: Math.min(CHANGED_EVERY_MS, module.everyMs),
  })
  useKeepWanted(lane, module, view)
  useEffect(() => {
    if (response !== null || error !== null) onReading(lane, { data: response, error, alignment: null })
  }, [lane, response, error, onReading])
  return null
}

/** Minimum interval of readings during a pan, ms. */
const CHANGED_EVERY_MS = 150

const NO_PARAMS: ViewParams = {}

/** Makes servers collect data that they collect only on request. */
function useKeepWanted(lane: string, { want }: LaneModule, view: LaneView | null): void {
  const { request } = useCapture()
  const live = (view?.sources ?? []).filter((source) => !isFileSource(source))
  const params = view?.params ?? NO_PARAMS
  useQuery({
    queryKey: ['lane wants', lane, live, params, request],
    queryFn:
      want === undefined || live.length === 0 ? skipToken : async () => (await want(request, live, params)) ?? null,
    refetchInterval: WANT_EVERY_MS,
    refetchIntervalInBackground: true,
  })
}
