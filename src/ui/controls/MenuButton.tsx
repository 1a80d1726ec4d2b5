import type { KeyboardEvent, MouseEvent, ReactNode, ToggleEvent } from 'react'
import { createContext, useContext, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from './Button.tsx'
import type { IconName } from '../Icon.tsx'
import styles from './MenuButton.module.css'
import { itemAfter } from './menu-keys.ts'
import { sharedRefusal } from './shared-refusal.ts'
import { cx } from '../theme/cx.ts'
import { useSteady } from '../hooks/useSteady.ts'
import { focusedOnOpening } from './focused-on-opening.ts'

export interface MenuItem {
  /** Identity, for an item whose text may change while the menu is open; the text by default. */
  readonly id?: string
  readonly text: string
  /** Effect of the item, in a line below it. */
  readonly hint?: string
  /** Why the item cannot be chosen now. It stays in the menu, so that the reason can be read. */
  readonly refusal?: string | null
  readonly onChoose: () => void
}

const GAP_PX = 4
/** Height of an item with its hint; used only to decide whether the menu fits below. */
const ITEM_PX = 48

const isRefused = ({ refusal }: MenuItem): boolean => refusal !== undefined && refusal !== null

const keepOpen = (event: MouseEvent): void => event.preventDefault()

/** Menu that items are in. */
interface OpenMenu {
  readonly id: string
  readonly isOpen: boolean
  /** Places it again where it has become larger. */
  readonly place: () => void
}

const MenuOf = createContext<OpenMenu>({ id: '', isOpen: false, place: () => undefined })

const keyOf = ({ id, text }: MenuItem): string => id ?? text

interface PlacedItem extends MenuItem {
  /** No longer offered. */
  readonly isGone?: boolean
}

const LOADING: readonly MenuItem[] = [
  { text: 'Loading …', refusal: 'Its state is being read.', onChoose: () => undefined },
]

/**
 * Items of an open menu in their first places, as an item that moves below the pointer is chosen by mistake: those that
 * are no longer offered stay as they are and refuse, and new ones follow at the end.
 */
function useInPlace(items: readonly MenuItem[], isOpen: boolean): readonly PlacedItem[] {
  const [placed, setPlaced] = useState<readonly PlacedItem[]>(items)
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  const isNew = (item: MenuItem): boolean => !placed.some((other) => keyOf(other) === keyOf(item))
  const shown =
    isOpen && placed !== LOADING
      ? [...placed.map((item) => byKey.get(keyOf(item)) ?? { ...item, isGone: true }), ...items.filter(isNew)]
      : items
  const isSame = shown.length === placed.length && shown.every((item, i) => keyOf(item) === keyOf(placed[i] ?? item))
  if (!isSame) setPlaced(shown)
  return shown
}

interface MenuItemsProps {
  /** Items; null: they are not known yet. */
  readonly items: readonly MenuItem[] | null
}

export function MenuItems({ items: given }: MenuItemsProps): ReactNode {
  const { id, isOpen, place } = useContext(MenuOf)
  const items = useInPlace(given ?? LOADING, isOpen)
  const isLoading = given === null
  const firstRef = useRef<HTMLButtonElement>(null)
  const wasLoading = useRef(isLoading)
  // When the focused item disappears, the menu gets the focus: otherwise a key meant for that item would choose the one
  // in its place.
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body
    if (isOpen && wasLoading.current && !isLoading) place()
    if (isLost) (wasLoading.current ? firstRef.current : document.getElementById(id))?.focus()
    wasLoading.current = isLoading
  })
  const shared = sharedRefusal(items.flatMap(({ refusal, isGone }) => (isGone === true ? [] : (refusal ?? null))))
  const headId = `${id}-head`
  const gone = items.filter(({ isGone }) => isGone === true)
  const footId = `${id}-foot`
  const focusFirst = (button: HTMLButtonElement | null): void => {
    firstRef.current = button
    focusedOnOpening(button)
  }
  const buttons = items.map((item, index) => (
    <button
      key={keyOf(item)}
      ref={index === 0 ? focusFirst : null}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      onFocus={() => (hasFocus.current = true)}
      onBlur={() => (hasFocus.current = false)}
      // The browser reads the target after the click was handled, when the choice may have refused the items already.
      popoverTarget={id}
      popoverTargetAction="hide"
      {...(isRefused(item) || item.isGone === true
        ? {
            'aria-disabled': true,
            ...(item.isGone === true
              ? { 'aria-describedby': footId }
              : item.refusal === shared
                ? { 'aria-describedby': headId }
                : {}),
            onClick: keepOpen,
          }
        : { onClick: item.onChoose })}
    >
      {item.text}
      {isRefused(item) && item.refusal === shared ? null : isRefused(item) ? (
        <span className={cx('note', styles.hint)}>{item.refusal}</span>
      ) : item.hint === undefined ? null : (
        <span className={cx('note', styles.hint)}>{item.hint}</span>
      )}
    </button>
  ))
  return (
    <>
      {shared === null ? null : (
        <div id={headId} className={cx('note', styles.head)}>
          {shared}
        </div>
      )}
      {buttons}
      {gone.length === 0 ? null : (
        // Not in the items, which a further line would move.
        <div id={footId} className={cx('note', styles.foot)}>
          No longer possible, as the state has changed: {gone.map(({ text }) => text).join(', ')}.
        </div>
      )}
    </>
  )
}

type MenuButtonProps = {
  /** Visible text; null: only the icon is visible. */
  readonly text: string | null
  /** Accessible name, which begins with `text`. */
  readonly label: string
  readonly icon: IconName
  /** Smaller than other buttons, as in a row of a table; true by default. */
  readonly small?: boolean
} & (
  | { readonly items: readonly MenuItem[] }
  /** Renders `MenuItems` while the menu is open, for lists with many menus or items that need data of their own. */
  | { readonly renderItems: () => ReactNode }
)

/**
 * Button with a menu of actions (ARIA menu button pattern); the browser closes it on Escape and on a click elsewhere.
 * The key makes it a new menu for another label: if rows move while it is open, it closes and never acts on another
 * row.
 */
export const MenuButton = (props: MenuButtonProps): ReactNode => <Menu key={props.label} {...props} />

function Menu({ text, label, icon, small = true, ...content }: MenuButtonProps): ReactNode {
  const id = useId()
  const anchorRef = useRef<HTMLSpanElement>(null)
  const menuRef = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  const itemsOf = (): HTMLElement[] => [...(menuRef.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  /** Fixes the top of a menu that is shown above its button: held at its bottom, it would move its items as it grows. */
  const pin = (): void => {
    const menu = menuRef.current
    const { top, height } = menu?.getBoundingClientRect() ?? { top: 0, height: 0 }
    if (menu === null || height === 0 || menu.style.bottom === 'auto') return
    menu.style.top = `${String(top)}px`
    menu.style.bottom = 'auto'
    if (menu.scrollHeight > menu.clientHeight) return
    const downPx = document.documentElement.clientHeight - top - GAP_PX
    menu.style.setProperty('--room-down', `${String(downPx)}px`)
  }

  const place = useSteady((): void => {
    const anchor = anchorRef.current?.getBoundingClientRect()
    const menu = menuRef.current
    if (anchor === undefined || menu === null) return
    const { clientWidth, clientHeight } = document.documentElement
    const isAbove = anchor.bottom + GAP_PX + itemsOf().length * ITEM_PX > clientHeight && anchor.top > clientHeight / 2
    menu.style.top = isAbove ? 'auto' : `${String(anchor.bottom + GAP_PX)}px`
    menu.style.bottom = isAbove ? `${String(clientHeight - anchor.top + GAP_PX)}px` : 'auto'
    // Aligned to the side with more room, and cut off there: a button at the left edge has no room to its left.
    const isLeft = anchor.left + anchor.right < clientWidth
    const awayPx = Math.max(GAP_PX, isLeft ? anchor.left : clientWidth - anchor.right)
    menu.style.left = isLeft ? `${String(awayPx)}px` : 'auto'
    menu.style.right = isLeft ? 'auto' : `${String(awayPx)}px`
    menu.style.setProperty('--room-across', `${String(clientWidth - awayPx - GAP_PX)}px`)
    const downPx = (isAbove ? anchor.top : clientHeight - anchor.bottom) - 2 * GAP_PX
    menu.style.setProperty('--room-down', `${String(downPx)}px`)
    pin()
  })

  const menu = useMemo(() => ({ id, isOpen: open, place }), [id, open, place])

  const opening = ({ newState }: ToggleEvent<HTMLDivElement>): void => {
    if (newState !== 'open') return
    // The browser looks for the element to focus right after this.
    flushSync(() => setOpen(true))
    place()
  }
  const toggled = ({ newState }: ToggleEvent<HTMLDivElement>): void => {
    setOpen(newState === 'open')
    if (newState === 'open') pin()
  }

  const pressed = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    // The page must not handle keys of a menu, which in the document is part of a row or card.
    event.stopPropagation()
    // The browser moves on from the button, which has the focus again.
    if (event.key === 'Tab') return menuRef.current?.hidePopover()
    const all = itemsOf()
    const at = all.findIndex((item) => item === document.activeElement)
    const next = itemAfter(
      all.map((item) => item.textContent),
      at,
      event.key,
    )
    if (next === null) return
    event.preventDefault()
    all[next]?.focus()
  }

  const toMenu = { 'aria-haspopup': 'menu', 'aria-expanded': open, popoverTarget: id } as const
  return (
    <span ref={anchorRef} className="inline">
      {text === null ? (
        <IconButton small icon={icon} label={label} {...toMenu} />
      ) : (
        <Button small={small} icon={icon} aria-label={label} {...toMenu}>
          {text}
        </Button>
      )}
      <div
        ref={menuRef}
        id={id}
        popover="auto"
        className={cx('raised', styles.menu)}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onBeforeToggle={opening}
        onToggle={toggled}
        onKeyDown={pressed}
      >
        <MenuOf value={menu}>
          {'items' in content ? <MenuItems items={content.items} /> : open ? content.renderItems() : null}
        </MenuOf>
      </div>
    </span>
  )
}
