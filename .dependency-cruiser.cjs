/**
 * Imports go one way: base ← ravendb, charts, ui ← capture ← actions ← feeds ← features ← app; feeds and features know each other by the
 * types of contract.ts only, and a panel its own feed by contract/ (docs/architecture.md).
 */
const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: '\\.test\\.' },
})
const notTests = '\\.test\\.tsx?$'

/** Floors of `src/ravendb`, lowest first; `[^/]+$` is its own files. Each imports the floors below it only. */
const FLOORS = [
  'tabs/',
  'errors/',
  '[^/]+$',
  'health/',
  'budget/',
  'loading/',
  'http/',
  'sockets/',
  'governor/',
  '(?:databases|machine)/',
  'answers/',
]
const oneWayInRavendb = FLOORS.slice(0, -1).map((floor, i) => ({
  name: `ravendb-one-way-${i + 1}`,
  severity: 'error',
  from: { path: `^src/ravendb/${floor}`, pathNot: notTests },
  to: { path: `^src/ravendb/(${FLOORS.slice(i + 1).join('|')})` },
}))

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'base-imports-nothing',
      severity: 'error',
      from: { path: '^src/base/', pathNot: notTests },
      to: { path: '^(src|node_modules|tools|e2e|bench)/', pathNot: '^src/base/' },
    },
    layer('ravendb-only-base', '^src/ravendb/', '^src/(app|features|feeds|capture|actions|charts|ui)/'),
    ...oneWayInRavendb,
    layer('charts-only-base', '^src/charts/', '^src/(app|features|feeds|capture|actions|ravendb|ui)/'),
    layer('ui-only-base', '^src/ui/', '^src/(app|features|feeds|capture|actions|ravendb|charts)/'),
    layer('capture-below-actions', '^src/capture/', '^src/(app|features|feeds|actions)/'),
    layer('actions-below-features', '^src/actions/', '^src/(app|features|feeds)/'),
    layer('actions-without-view', '^src/actions/(worker|rows|[^/]+\\.ts$)', '^src/(ui|charts|actions/view)/'),
    layer('feeds-in-the-worker', '^src/feeds/', '^src/(app|features|actions|charts|ui)/'),
    layer('features-below-app', '^src/features/', '^src/app/'),
    {
      name: 'feeds-apart',
      severity: 'error',
      from: { path: '^src/feeds/([^/]+)/' },
      to: { path: '^src/feeds/', pathNot: '^src/feeds/($1/|[^/]+/contract\\.ts$)' },
    },
    {
      name: 'contracts-without-data',
      severity: 'error',
      from: { path: '^src/feeds/[^/]+/contract/', pathNot: notTests },
      to: { path: '^src/feeds/[^/]+/(data|assembly)/' },
    },
    {
      name: 'panels-by-contract',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: notTests },
      to: { path: '^src/feeds/', pathNot: '^src/feeds/($1/contract/|[^/]+/contract\\.ts$)' },
    },
    {
      name: 'tests-of-panels-by-own-feed',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/.*\\.test\\.tsx?$' },
      to: { path: '^src/feeds/', pathNot: '^src/feeds/($1/|[^/]+/contract\\.ts$)' },
    },
    {
      name: 'features-apart',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/($1/|[^/]+/contract\\.ts$)' },
    },
    {
      name: 'contracts-as-types',
      severity: 'error',
      from: { path: '^src/(?:features|feeds)/([^/]+)/' },
      to: {
        path: '^src/(features|feeds)/',
        pathNot: '^src/(features|feeds)/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'data-without-view',
      severity: 'error',
      from: { path: '^src/features/[^/]+/(contract|data)', pathNot: notTests },
      to: { path: '^src/(ui|features/[^/]+/view)/' },
    },
    {
      name: 'tools-apart',
      severity: 'error',
      from: { path: '^tools/', pathNot: '\\.test\\.mjs$' },
      to: { path: '^src/', pathNot: '^src/base/' },
    },
    {
      name: 'src-without-tools',
      severity: 'error',
      // Modules that only tests use may talk to a server as they do.
      from: { path: '^src/', pathNot: `(${notTests}|^src/testing/server/)` },
      to: { path: '^(tools|e2e|bench)/' },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: `(${notTests}|^src/testing/)` },
      to: { path: '^src/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.app.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
}
