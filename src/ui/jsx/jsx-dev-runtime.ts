import type { ElementType, Key, ReactElement } from 'react'
import * as react from 'react/jsx-dev-runtime'
import type { JSXSource } from 'react/jsx-dev-runtime'
import { visibleProps } from './visible-props.ts'

export type { JSX } from 'react/jsx-dev-runtime'
export { Fragment } from 'react/jsx-dev-runtime'

/** `jsx-runtime.ts` for development and tests, with React's own checks. */
export const jsxDEV = (
  type: ElementType,
  props: Record<string, unknown>,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement => react.jsxDEV(type, visibleProps(type, props), key, isStatic, source, self)
