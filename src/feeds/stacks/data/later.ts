import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { StacksLaterRequests } from '../contract.ts'
import type { FrameName } from '../contract/frames.ts'
import type { NodeId } from '../contract/ids.ts'
import type { TreeView } from '../contract/samples.ts'
import { countExport, stackExporters } from './exports/exporters.ts'
import { engineFor } from './pattern.ts'
import type { LiveThreads } from './live/live.ts'
import { flameResponse } from './responses/flame.ts'
import { framesResponse } from './responses/frames.ts'
import { jobsResponse } from './responses/jobs.ts'
import { lanesResponse } from './responses/lanes.ts'
import { textResponse } from './responses/text.ts'
import { threadsResponse } from './responses/threads.ts'
import { treeResponse } from './responses/tree-rows.ts'
import type { StackStore } from './table.ts'
import { Pictures } from './trees/picture.ts'
import { FrameSearch } from './trees/search.ts'

/** Handlers of threads, jobs and the trees over samples, and the exports: none of it is in the first picture. */
export function laterPart(store: StackStore, live: LiveThreads) {
  const search = new FrameSearch()
  const pictures = new Pictures(store)
  return {
    responses: {
      'stacks.threads': async (params) => {
        await engineFor(params.match)
        return threadsResponse(store, live, search, params)
      },
      'stacks.jobs': (params) => jobsResponse(store, live, params),
      'stacks.flame': async (params) => {
        await engineFor(params.search)
        return flameResponse(store, pictures, search, params)
      },
      'stacks.tree': async (params) => {
        await engineFor(params.search)
        return treeResponse(store, pictures, search, params)
      },
      'stacks.frames': async (params) => {
        await engineFor(params.match)
        return framesResponse(store, pictures, params)
      },
      'stacks.lanes': (params) => lanesResponse(store, params),
      'stacks.findFrame': ({ text }) => {
        const id = store.frames.find(text)
        return id === undefined ? null : store.frames.name(id)
      },
      'stacks.findNode': ({ view, path }) => findNode(store, pictures, view, path),
      'stacks.path': ({ view, node }) => pathOf(store, pictures, view, node),
      'stacks.exportCount': (params) => countExport(store, params),
      'stacks.text': (params) => textResponse(store, pictures, params),
    } satisfies Handlers<keyof StacksLaterRequests>,
    exporters: stackExporters(store),
  }
}

function findNode(store: StackStore, pictures: Pictures, view: TreeView, path: readonly string[]): NodeId {
  const picture = pictures.of(view)
  let node = picture.root
  for (const text of path) {
    const frame = store.frames.find(text)
    const child = frame === undefined ? null : picture.childOf(node, frame)
    if (child === null) break
    node = child
  }
  return node.id
}

function pathOf(
  store: StackStore,
  pictures: Pictures,
  view: TreeView,
  node: NodeId,
): (FrameName & { readonly node: NodeId })[] {
  const { ids } = pictures.of(view)
  const path: (FrameName & { node: NodeId })[] = []
  for (let at = node < ids.length ? node : 0; at > 0; at = ids.parent(at)) {
    const { id, short, full, module, category } = store.frames.name(ids.frame(at))
    path.push({ id, short, full, module, category, node: at })
  }
  return path.toReversed()
}
