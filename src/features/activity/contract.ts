declare module '../../capture/client/panel-id.ts' {
  interface PanelIds {
    activity: true
  }
}
