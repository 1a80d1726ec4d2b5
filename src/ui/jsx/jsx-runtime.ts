import type { ElementType, Key, ReactElement } from 'react'
import * as react from 'react/jsx-runtime'
import { visibleProps } from './visible-props.ts'

export type { JSX } from 'react/jsx-runtime'
export { Fragment } from 'react/jsx-runtime'

// JSX runtime of the whole studio (`jsxImportSource`): all texts reach the page through it.

export const jsx = (type: ElementType, props: Record<string, unknown>, key?: Key): ReactElement =>
  react.jsx(type, visibleProps(type, props), key)

export const jsxs = (type: ElementType, props: Record<string, unknown>, key?: Key): ReactElement =>
  react.jsxs(type, visibleProps(type, props), key)
