import type { FrameCategory } from '../contract/frames.ts'

/** Parts of a frame's text. */
export interface FrameParts {
  /** `Voron`; empty in the format without modules (ClrMD), and for pseudo frames. */
  readonly module: string
  /** `Voron.Impl.Journal.JournalWriter`, generic arguments included; empty: unknown. */
  readonly type: string
  readonly method: string
  /** `(int64,unsigned int8*,int32)` with its brackets; empty: none. */
  readonly args: string
}

/** Pseudo frame of a thread in native code (which includes every wait). */
export const NATIVE_FRAMES = '[Native Frames]'
/** Pseudo frame of a thread in managed code. */
export const CPU_TIME = 'CPU_TIME'

export const isPseudo = (text: string): boolean => text === NATIVE_FRAMES || text === CPU_TIME

/**
 * Takes apart `Module!Namespace.Type+Nested.Method(args)` as well as ClrMD's `Namespace.Type.Method(Args)`. Never fails:
 * what has no shape of a frame is a method by its whole text.
 *
 *     Voron!Voron.Data.Tree.DirectRead(value class Voron.Slice)
 *     ─────┬─────────────── ────┬───── ───────────┬────────────
 *     module type            method             args
 */
export function splitFrame(text: string): FrameParts {
  if (isPseudo(text) || text.startsWith('[')) return { module: '', type: '', method: text, args: '' }
  const open = text.indexOf('(')
  const head = open === -1 ? text : text.slice(0, open)
  const args = open === -1 ? '' : text.slice(open)
  const bang = head.indexOf('!')
  const module = bang > 0 ? head.slice(0, bang) : ''
  const name = bang > 0 ? head.slice(bang + 1) : head
  const dot = lastDot(name)
  return dot === -1
    ? { module, type: '', method: name, args }
    : { module, type: name.slice(0, dot), method: name.slice(dot + 1), args }
}

/**
 * Position of the dot before the last name, outside of `<…>` and `[…]`; in `Type..ctor` the first of the two. −1: none.
 */
function lastDot(name: string): number {
  let depth = 0
  for (let at = name.length - 1; at > 0; at--) {
    const char = name[at]
    if (char === ']' || char === '>') depth++
    else if (char === '[' || char === '<') depth--
    else if (char === '.' && depth === 0) return at > 1 && name[at - 1] === '.' ? at - 1 : at
  }
  return -1
}

/** `AbstractMerger`2[A,B]` → `AbstractMerger`. */
const withoutGenerics = (name: string): string => {
  const tick = name.search(/[`[]/)
  return tick <= 0 ? name : name.slice(0, tick)
}

/**
 * Names that the compiler generates for a method: `<StackTrace>d__0` (async or iterator), `<Start>b__28_0` (lambda),
 * `<Run>g__Local|1_0`.
 */
const GENERATED = /^<([^<>]*)>(?:([dbg])__)?(?:(\w+)\|)?/

/**
 * Short readable names, and the key for rules. State machines and lambdas get the name of the method that contains
 * them: `ThreadsHandler+<StackTrace>d__0.MoveNext` → `ThreadsHandler.StackTrace`.
 */
export function shortNames({ type, method }: FrameParts): {
  readonly type: string
  readonly method: string
  readonly mark: '' | 'async' | 'λ'
} {
  const names = nestedTypes(afterNamespace(type)).map(withoutGenerics)
  let shown = withoutGenerics(method)
  let mark: '' | 'async' | 'λ' = ''
  const machine = GENERATED.exec(names.at(-1) ?? '')
  if (machine !== null && machine[1] !== '' && machine[2] === 'd') {
    if (shown === 'MoveNext') shown = machine[1] ?? shown
    mark = 'async'
  }
  const lambda = GENERATED.exec(shown)
  if (lambda !== null && lambda[1] !== '') {
    shown = lambda[3] === undefined || lambda[2] !== 'g' ? (lambda[1] ?? shown) : lambda[3]
    if (lambda[2] === 'b') mark = 'λ'
  }
  return { type: names.filter((name) => name !== '' && !name.startsWith('<')).join('+'), method: shown, mark }
}

/** `Namespace.Type+Nested` → `Type+Nested`; dots within `<…>` and `[…]` belong to generic arguments. */
function afterNamespace(type: string): string {
  let depth = 0
  let start = 0
  for (let at = 0; at < type.length; at++) {
    const char = type[at]
    if (char === '[' || char === '<') depth++
    else if (char === ']' || char === '>') depth--
    else if (char === '.' && depth === 0) start = at + 1
    else if (char === '+' && depth === 0) break
  }
  return type.slice(start)
}

/** Splits at each `+` outside of `<…>` and `[…]`. */
function nestedTypes(type: string): string[] {
  const names: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < type.length; at++) {
    const char = type[at]
    if (char === '[' || char === '<') depth++
    else if (char === ']' || char === '>') depth--
    else if (char === '+' && depth === 0) {
      names.push(type.slice(start, at))
      start = at + 1
    }
  }
  return [...names, type.slice(start)]
}

const CATEGORIES: readonly (readonly [FrameCategory, RegExp])[] = [
  ['index', /\.index$|^Index_|^Jint\b|^Esprima\b|^Raven\.Server\.Documents\.Indexes\.Static\.Generated\b/],
  ['storage', /^Voron\b/],
  ['search', /^Corax\b|^Lucene\b/],
  ['server', /^Raven\b|^Sparrow\b/],
  ['web', /^Microsoft\.(?:AspNetCore|Net\.Http|Extensions)\b/],
  ['runtime', /^System\b|^Microsoft\b|^mscorlib\b|^Internal\b|^Interop\b|^Anonymously Hosted|^dynamicClass\b|^\?$/],
]

/** Category by module, or without one by namespace. Each compiled index is a module. */
export function categoryOf({ module, type, method }: FrameParts): FrameCategory {
  if (module === '' && type === '') return method.startsWith('[') || isPseudo(method) ? 'pseudo' : 'other'
  const owner = module === '' ? type : module
  return CATEGORIES.find(([, of]) => of.test(owner))?.[0] ?? 'other'
}
