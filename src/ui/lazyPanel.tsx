import { lazy, useState, type ComponentType, type ReactNode } from 'react'

/** A panel, or another large part of the page, whose code comes when it is opened, or before. */
export interface LazyPanel<Props = object> {
  readonly Component: ComponentType<Props>
  /** Fetches the code: a panel that is opened after that shows at once, without the pause that a wait on screen takes. */
  readonly preload: () => void
}

export type LazyModule<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

export function lazyPanel<Props extends object = object>(load: LazyModule<Props>): LazyPanel<Props> {
  let loaded: ComponentType<Props> | null = null
  const Lazy = lazy(load)
  return {
    Component: function Panel(props: Props): ReactNode {
      // What was chosen at first stays: another component would restart.
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return <Chosen {...props} />
    },
    preload: () =>
      void load().then(
        (module) => (loaded = module.default),
        // Opening it will fetch it again, and say what is wrong.
        () => undefined,
      ),
  }
}
