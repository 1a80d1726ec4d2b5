import { panelSettings, switchedOn, text } from '../../../capture/client/panel-settings.ts'

export const { parse: parseSettings, format: formatSettings } = panelSettings('query', {
  /** Text from a link. It never runs by itself. */
  text: text('text'),
  parameters: text('with'),
  isText: switchedOn('json'),
})
