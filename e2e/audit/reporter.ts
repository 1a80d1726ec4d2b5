import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Passes on what a test says while it runs, and at its end what is wrong, without the frame of a test run. */
export default class PlainReporter implements Reporter {
  printsToStdio(): boolean {
    return true
  }

  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk)
  }

  onStdErr(chunk: string | Buffer): void {
    process.stderr.write(chunk)
  }

  onError({ message }: { message?: string }): void {
    process.stderr.write(`${message ?? 'It ended without a reason.'}\n`)
  }

  onTestEnd(_test: TestCase, { errors, status }: TestResult): void {
    for (const { message = status } of errors) process.stderr.write(`\n${message.replace(/^Error: /, '')}\n`)
  }
}
