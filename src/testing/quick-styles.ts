/** Properties that queries by role, names of elements and user events read, and whether children inherit them. */
const INHERITED: Readonly<Record<string, boolean>> = { display: false, visibility: true, 'pointer-events': true }

/**
 * Has `getComputedStyle` compute those few properties once per kind of element. happy-dom computes all properties of an
 * element and its ancestors after each change of the document, which took a seventh of the CPU of a panel’s tests. No
 * sheets are loaded in tests: what an element has beside the defaults is in `style` attributes.
 */
export function quickStyles(): void {
  const whole = window.getComputedStyle.bind(window)
  const known = new Map<string, string>()

  const isOfItsOwn = (element: Element, name: string): boolean => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (at.getAttribute('style')?.includes(name)) return true
      if (!INHERITED[name]) return false
    }
    return false
  }

  const valueOf = (element: Element, name: string): string => {
    const compute = (): string => whole(element).getPropertyValue(name)
    if (INHERITED[name] === undefined || !element.isConnected || isOfItsOwn(element, name)) return compute()
    const key = `${name} ${element.tagName} ${element.tagName === 'DIALOG' && element.hasAttribute('open')}`
    const value = known.get(key) ?? compute()
    known.set(key, value)
    return value
  }

  window.getComputedStyle = (element, pseudo) =>
    pseudo == null
      ? new Proxy({} as CSSStyleDeclaration, {
          get: (_, name: string): unknown => {
            if (name === 'getPropertyValue') return (of: string) => valueOf(element, of)
            if (name === 'pointerEvents') return valueOf(element, 'pointer-events')
            return INHERITED[name] === undefined ? Reflect.get(whole(element), name) : valueOf(element, name)
          },
        })
      : whole(element, pseudo)
}
