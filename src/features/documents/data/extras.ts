import { exactText } from '../../../base/text/exact-text.ts'
import type { CounterInfo, RevisionInfo, Revisions, SeriesInfo, SeriesPage } from '../contract.ts'
import { itemsOf, jsonTree, propertyOf, rawText, textOf } from './json-text.ts'

/* Readers of what belongs to a document besides its text. */

export function readRevisions(bytes: Uint8Array): Revisions {
  const text = exactText(bytes)
  const tree = jsonTree(text)
  const revisions = itemsOf(propertyOf(text, tree, 'Results')).map((item): RevisionInfo => {
    const metadata = propertyOf(text, item, '@metadata')
    const of = (key: string): string => textOf(text, propertyOf(text, metadata, key))
    return {
      changeVector: of('@change-vector'),
      modified: of('@last-modified'),
      flags: of('@flags').split(', '),
    }
  })
  return { total: Number(textOf(text, propertyOf(text, tree, 'TotalResults'))), revisions }
}

/** Reads the counters of a document. In the response, a counter that was deleted meanwhile is null. */
export function readCounters(bytes: Uint8Array): readonly CounterInfo[] {
  const text = exactText(bytes)
  return itemsOf(propertyOf(text, jsonTree(text), 'Counters')).flatMap((item): CounterInfo[] =>
    item.type === 'object'
      ? [
          {
            name: textOf(text, propertyOf(text, item, 'CounterName')),
            value: textOf(text, propertyOf(text, item, 'TotalValue')),
          },
        ]
      : [],
  )
}

export function readSeries(bytes: Uint8Array): readonly SeriesInfo[] {
  const text = exactText(bytes)
  return itemsOf(propertyOf(text, jsonTree(text), 'TimeSeries')).map((item) => {
    const of = (key: string): string => textOf(text, propertyOf(text, item, key))
    return { name: of('Name'), entries: Number(of('NumberOfEntries')), from: of('StartDate'), to: of('EndDate') }
  })
}

export function readSeriesPage(bytes: Uint8Array): SeriesPage {
  const text = exactText(bytes)
  const tree = jsonTree(text)
  const entries = itemsOf(propertyOf(text, tree, 'Entries')).map((item) => {
    const tag = propertyOf(text, item, 'Tag')
    return {
      at: textOf(text, propertyOf(text, item, 'Timestamp')),
      tag: tag?.type === 'string' ? textOf(text, tag) : null,
      values: itemsOf(propertyOf(text, item, 'Values')).map((value) => rawText(text, value)),
    }
  })
  const total = propertyOf(text, tree, 'TotalResults')
  return { total: total === null ? entries.length : Number(rawText(text, total)), entries }
}
