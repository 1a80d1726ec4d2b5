/** Call on a 2D context, with the fill or stroke it was made with. */
export interface DrawCall {
  readonly name: string
  readonly args: readonly unknown[]
  readonly fillStyle: string
  readonly strokeStyle: string
}

export interface Recording {
  readonly context: CanvasRenderingContext2D
  readonly calls: DrawCall[]
  /** Calls of one name, e.g. `fillRect`. */
  readonly of: (name: string) => DrawCall[]
  /** Texts written, in order. */
  readonly texts: () => string[]
}

/** A 2D context that draws nothing and remembers everything. Text is 6 px a character wide. */
export function recordingContext(): Recording {
  const calls: DrawCall[] = []
  const state: Record<string, unknown> = {
    fillStyle: '#000',
    strokeStyle: '#000',
    lineWidth: 1,
    globalAlpha: 1,
    font: '10px sans-serif',
  }
  const proxy = new Proxy(state, {
    get(target, name: string) {
      if (name in target) return target[name]
      if (name === 'measureText') return (text: string) => ({ width: text.length * 6 })
      return (...args: unknown[]) => {
        calls.push({ name, args, fillStyle: String(target['fillStyle']), strokeStyle: String(target['strokeStyle']) })
      }
    },
    set(target, name: string, value: unknown) {
      target[name] = value
      return true
    },
  })
  return {
    context: proxy as unknown as CanvasRenderingContext2D,
    calls,
    of: (name) => calls.filter((call) => call.name === name),
    texts: () => calls.filter((call) => call.name === 'fillText').map((call) => String(call.args[0])),
  }
}
