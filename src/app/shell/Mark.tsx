import type { ReactNode } from 'react'

/** Logo as in `public/favicon.svg`; decorative beside the name. */
export const Mark = (): ReactNode => (
  <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path
      fill="currentColor"
      d="M4 27c0-7.5 2-12.5 5.5-16.2C12 8.1 15.2 6.5 18.7 6.5c3.7 0 6.3 1.7 7.7 4.3l4.1 4.7c.5.6.1 1.5-.7 1.5h-5.3c-.6 4.3-2.6 7.3-5.9 10z"
    />
    <circle cx="20.3" cy="12.3" r="1.7" fill="var(--bg-sunken)" />
  </svg>
)
