/** Shadow root of a host, created once: React may mount an effect twice. */
export const shadowOf = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: 'open' })
