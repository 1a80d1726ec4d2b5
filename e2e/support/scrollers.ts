import type { Page } from '@playwright/test'

/** Elements with a vertical scroll bar in the window, by their labels. */
export const verticalScrollers = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((each) => {
      const { overflowY } = getComputedStyle(each)
      const box = each.getBoundingClientRect()
      const isInSight = box.width > 0 && box.height > 0 && box.top < innerHeight && box.bottom > 0
      const scrolls = (overflowY === 'auto' || overflowY === 'scroll') && each.scrollHeight > each.clientHeight
      return isInSight && scrolls
        ? [`${each.localName} ${each.getAttribute('aria-label') ?? ''} ${each.clientHeight} of ${each.scrollHeight} px`]
        : []
    }),
  )
