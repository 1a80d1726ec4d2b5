import { lazy, useState, type ComponentType, type ReactNode } from 'react'

/** A panel, or another large part of the page, whose code comes when it is opened, or before. */
export interface LazyPanel<Props = object> {
  readonly Component: ComponentType<Props>
  /** Fetches the code: a panel that is opened after that shows at once, without the pause that a wait on screen takes. */
  readonly preload: () => Promise<void>
}

export type LazyModule<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

/** Preloads of all lazy parts, in the order in which they were defined: parts of a panel follow when its code is there. */
const preloads: (() => Promise<void>)[] = []

/** Takes the next part to fetch, each once; undefined: none that is known by now. */
export const nextPreload = (): (() => Promise<void>) | undefined => preloads.shift()

export function lazyPanel<Props extends object = object>(load: LazyModule<Props>): LazyPanel<Props> {
  let loaded: ComponentType<Props> | null = null
  const Lazy = lazy(load)
  const preload = (): Promise<void> =>
    load().then(
      (module) => void (loaded = module.default),
      // Opening it will fetch it again, and say what is wrong.
      () => undefined,
    )
  preloads.push(preload)
  return {
    Component: function Panel(props: Props): ReactNode {
      // The component chosen at first stays: another component would restart.
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return <Chosen {...props} />
    },
    preload,
  }
}
