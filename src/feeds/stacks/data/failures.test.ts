import { describe, expect, it, test } from 'vitest'
import { classify, RavenError } from '../../../ravendb/errors/errors.ts'
import { recordedText } from '../../../testing/recorded.ts'
import { failureOf, isLasting } from './failures.ts'

const PATH = '/admin/debug/threads/stack-trace'
const server = (type: string, message: string): RavenError =>
  classify(PATH, 500, 'application/json', JSON.stringify({ Url: PATH, Type: type, Message: message, Error: '' }))
const exit = (code: number, error: string): RavenError =>
  server('System.InvalidOperationException', `Could not read stack traces, exit code: ${code}, error: ${error}`)

describe('what the server says', () => {
  it('is a missing helper, as recorded', () => {
    const error = classify(PATH, 500, 'application/json', recordedText('7.1', 'error-stack-trace-tool-missing.json'))
    expect(failureOf(error, 'attaching')).toMatchObject({
      kind: 'helper-missing',
      step: 'attaching',
      message: 'The server has no helper program that reads stacks.',
      error: { status: 500, serverMessage: "Could not find debugger tool at '/opt/RavenDB/Server/Raven.Debug'" },
    })
  })

  test.each([
    ['helper-not-executable', server('System.ComponentModel.Win32Exception', 'Permission denied')],
    ['helper-failed', server('System.IO.IOException', 'Broken pipe')],
    ['helper-failed', exit(127, "env: 'node': No such file or directory")],
    ['helper-failed', exit(1, '')],
    [
      'helper-rubbish',
      server('Newtonsoft.Json.JsonReaderException', 'Unexpected character encountered while parsing value'),
    ],
    [
      'diagnostics-off',
      exit(1, 'Process 7 has no diagnostics socket in /tmp: it was started with DOTNET_EnableDiagnostics=0.'),
    ],
    ['attach-refused', exit(1, 'ptrace(PTRACE_ATTACH) failed: Operation not permitted')],
    ['attach-refused', exit(1, 'Process 7 belongs to another user: only its own user can read its stacks.')],
    ['timeout', exit(1, 'The snapshot did not end within 30 s.')],
    ['unsupported', server('System.PlatformNotSupportedException', 'macOS')],
    ['other', server('System.NullReferenceException', 'Object reference not set')],
    ['permission', classify(PATH, 403, 'application/json', '{"Type":"InvalidAuth","Message":"no"}')],
    ['busy', classify(PATH, 503, 'text/html', '<html>')],
    [
      'unsupported',
      classify(PATH, 400, 'application/json', '{"Type":"Raven.Client.Exceptions.Routing.RouteNotFoundException"}'),
    ],
    ['server-stopped', new RavenError({ kind: 'network', endpoint: PATH })],
    ['timeout', new RavenError({ kind: 'timeout', endpoint: PATH })],
    ['not-understood', new Error('Expected an object')],
  ] as const)('%s', (kind, error) => {
    const failure = failureOf(error, 'sampling')
    expect(failure).toMatchObject({ kind, step: 'sampling' })
    expect(failure.remedy).not.toBe('')
    expect(isLasting(failure)).toBe(!['busy', 'timeout', 'server-stopped', 'other'].includes(kind))
  })
})
