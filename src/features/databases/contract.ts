declare module '../../capture/client/panel-id.ts' {
  interface PanelIds {
    databases: true
  }
}
