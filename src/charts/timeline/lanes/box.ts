/** Vertical extent of a part of the content, CSS pixels below the axis. Lists are sorted by `topPx`. */
export interface LaneBox {
  readonly key: string
  readonly topPx: number
  readonly heightPx: number
}
