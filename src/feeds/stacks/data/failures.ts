import { errorText } from '../../../base/text/error-text.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import type { SnapshotFailure, SnapshotFailureKind, SnapshotStep } from '../contract/snapshots.ts'

interface FailureRule {
  readonly kind: SnapshotFailureKind
  /** Pattern in the server's text (message, or exception type). */
  readonly pattern: RegExp
}

/**
 * Rules for the server's messages about its helper, in the order in which they are tried. Source: texts of 7.1, 6.2 and
 * 5.4, and those of the runtime and of the helper in "exit code: N, error: …".
 */
const RULES: readonly FailureRule[] = [
  { kind: 'helper-missing', pattern: /Could not find debugger tool|FileNotFoundException/i },
  { kind: 'unsupported', pattern: /PlatformNotSupported|NotSupportedException|not supported/i },
  { kind: 'diagnostics-off', pattern: /EnableDiagnostics|diagnostics? (?:socket|port|ipc|server|is|are)\b/i },
  {
    kind: 'attach-refused',
    pattern: /ptrace|Operation not permitted|EPERM|EACCES|another user|could not attach|unable to attach/i,
  },
  { kind: 'timeout', pattern: /exit code.*(?:timed? ?out|within \d+ (?:m?s|seconds)|did not answer in)/i },
  { kind: 'helper-not-executable', pattern: /Win32Exception|Permission denied|exit code: 126/i },
  { kind: 'helper-rubbish', pattern: /JsonReaderException|Unexpected character encountered|error parsing/i },
  { kind: 'helper-failed', pattern: /exit code|Broken pipe|pipe is broken|Could not read stack traces/i },
]

const TEXTS: Readonly<Record<SnapshotFailureKind, readonly [message: string, remedy: string]>> = {
  'helper-missing': [
    'The server has no helper program that reads stacks.',
    'It is the program Raven.Debug beside Raven.Server, part of the official download: put it there (no restart is needed), or use the official download.',
  ],
  'helper-not-executable': [
    'The server may not run its helper program.',
    'Make Raven.Debug in the server’s folder executable for the server’s user (chmod +x); on a disk that is mounted noexec it cannot run.',
  ],
  'diagnostics-off': [
    'The server’s runtime does not let itself be looked into.',
    'It was started with DOTNET_EnableDiagnostics=0, or its diagnostics socket is gone from its TMPDIR: start it without that setting, and keep cleaners off that folder.',
  ],
  permission: [
    'This certificate may not take stack snapshots.',
    'It needs the clearance Operator or ClusterAdmin. The live list of threads is open to every valid certificate.',
  ],
  'attach-refused': [
    'The operating system did not let the helper attach to the server.',
    'Both must run as the same user; in a container, the capability SYS_PTRACE helps, as does kernel.yama.ptrace_scope=0 or 1.',
  ],
  'helper-failed': [
    'The helper program ended with an error.',
    'Read what it says below. Run it by hand in the server’s folder to see more: Raven.Debug stack-traces --pid <pid of the server>.',
  ],
  'helper-rubbish': [
    'The helper program wrote something that is no JSON.',
    'The program Raven.Debug beside the server is not of this server’s version, or something else wrote into its output: replace it with the one of the same download.',
  ],
  busy: [
    'The server is busy, or something before it turned the request away.',
    'Wait, and try again. Those of other clients go first: the server takes one at a time.',
  ],
  timeout: [
    'The snapshot did not end in time.',
    'The server, or its helper, is stuck or very slow; the server goes on trying, and holds back further snapshots until then. A hung helper ends by itself, or is to be ended on the server.',
  ],
  'server-stopped': [
    'The server went away during the snapshot.',
    'It stopped, was restarted, or the network broke. Earlier snapshots stay.',
  ],
  unsupported: [
    'This server does not offer stack traces.',
    'They need Linux or Windows, and a server of version 5.4 or newer.',
  ],
  'not-understood': [
    'The answer holds no stacks that are understood.',
    'This server’s version may be newer than this studio: use a studio of the same age, and report what came.',
  ],
  other: ['The snapshot failed.', 'Read what the server says; its log has more.'],
}

/** Describes an error of a snapshot: what happened at which step, and what to do. */
export function failureOf(error: unknown, step: SnapshotStep): SnapshotFailure {
  const kind = kindOf(error)
  const [message, remedy] = TEXTS[kind]
  return { kind, step, message, remedy, error: error instanceof RavenError ? error.toInfo() : infoOf(error) }
}

function kindOf(error: unknown): SnapshotFailureKind {
  if (!(error instanceof RavenError)) return 'not-understood'
  switch (error.kind) {
    case 'refused':
    case 'stranger':
    case 'two-factor':
      return 'permission'
    case 'busy':
      return 'busy'
    case 'timeout':
      return 'timeout'
    case 'network':
      return 'server-stopped'
    case 'route-missing':
      return 'unsupported'
    case 'not-json':
      return error.status === 200 ? 'server-stopped' : 'busy'
    case 'server':
    case 'bad-request': {
      const text = `${error.serverType ?? ''} ${error.serverMessage ?? ''}`
      return RULES.find((rule) => rule.pattern.test(text))?.kind ?? 'other'
    }
    default:
      return 'other'
  }
}

const infoOf = (error: unknown) => ({
  endpoint: '/admin/debug/threads/stack-trace',
  status: null,
  message: errorText(error),
  serverMessage: null,
  hint: '',
})

/** Whether another attempt would fail in the same way. */
export const isLasting = ({ kind }: SnapshotFailure): boolean =>
  kind !== 'busy' && kind !== 'timeout' && kind !== 'server-stopped' && kind !== 'other'
