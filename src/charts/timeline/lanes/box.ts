/** A stretch of the content from top to bottom, CSS pixels below the axis. Lists of them ascend by `topPx`. */
export interface LaneBox {
  readonly key: string
  readonly topPx: number
  readonly heightPx: number
}
