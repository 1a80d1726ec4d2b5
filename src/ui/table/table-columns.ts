import type { ReactNode } from 'react'

export interface TableColumn {
  readonly id: string
  readonly title: string
  /** `end` for figures. */
  readonly align?: 'start' | 'end'
  /** CSS px; the minimum if the column grows. */
  readonly width: number
  /** Share of the remaining width; left out: fixed width. */
  readonly grow?: number
  readonly sortable?: boolean
  /** Stays visible when the table scrolls sideways; for leading columns only. */
  readonly pinned?: boolean
  /** Shown in the header in place of the title, which stays its accessible name. */
  readonly header?: ReactNode
}

export interface TableSort<Id extends string = string> {
  readonly id: Id
  readonly descending: boolean
}

/** The first click sorts figures from the largest, names from A. */
export const nextSort = (sort: TableSort | null, column: TableColumn): TableSort =>
  sort?.id === column.id
    ? { id: column.id, descending: !sort.descending }
    : { id: column.id, descending: column.align === 'end' }

export function ariaSort(sort: TableSort | null, column: TableColumn): 'ascending' | 'descending' | 'none' | undefined {
  if (column.sortable !== true) return undefined
  if (sort?.id !== column.id) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}

/** Elements that handle clicks, Enter and Space themselves. */
export const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, input, a, select, textarea, [popover]') !== null

/** Elements that handle arrow keys as well. */
export const takesArrows = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[popover], select, textarea, input:not([type="checkbox"])') !== null

/** Grid tracks of a row. */
export const trackTemplate = (columns: readonly TableColumn[]): string => columns.map(trackOf).join(' ')

const trackOf = (column: TableColumn): string =>
  column.grow === undefined
    ? `${String(column.width)}px`
    : `minmax(${String(column.width)}px, ${String(column.grow)}fr)`

/** Minimum width of the pinned columns, CSS px. */
export const pinnedPx = (columns: readonly TableColumn[]): number =>
  columns.reduce((sum, column) => sum + (column.pinned === true ? column.width : 0), 0)

export const unpinned = (columns: readonly TableColumn[]): readonly TableColumn[] =>
  columns.map((column) => ({ ...column, pinned: false }))

/** Pinned columns are side by side at the start. */
export function pinnedStyle(columns: readonly TableColumn[], index: number): { insetInlineStart: number } | undefined {
  if (columns[index]?.pinned !== true) return undefined
  return { insetInlineStart: columns.slice(0, index).reduce((sum, column) => sum + column.width, 0) }
}
