import type { ListedPackage } from '../../../capture/worker/feed.ts'
import { valueOf } from '../../../ravendb/entry-names.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { PackageChanges, PackageReport, PackageRequests, PackageTriage } from '../contract.ts'
import { readChanges, findingsBeyond, pairsOf } from './changes.ts'
import { readPackage, type AnsweredServer } from './packages.ts'
import { detailOf, packageSource, reportOf } from './reports.ts'

/** Judges servers by their responses. Injected, because the rules belong to another feature. */
export type JudgePackage = (servers: readonly AnsweredServer[]) => PackageTriage

const MOST_CHANGES = 200

interface OpenedPackage {
  readonly servers: readonly AnsweredServer[]
  readonly report: PackageReport
}

/** Open debug packages, by file name. */
export class Packages {
  readonly #judge: JudgePackage
  readonly #opened = new Map<string, OpenedPackage>()

  constructor(judge: JudgePackage) {
    this.#judge = judge
  }

  /** Adds a package; returns the number of its servers. */
  async take(listed: ListedPackage): Promise<number> {
    const servers = await readPackage(listed)
    if (servers.length > 0)
      this.#opened.set(listed.name, { servers, report: reportOf(listed.name, servers, this.#judge(servers)) })
    return servers.length
  }

  async #changes(file: string): Promise<PackageChanges | null> {
    const after = this.#opened.get(file)
    const afterTicks = after?.report.atTicks ?? null
    if (after === undefined || afterTicks === null) return null
    const earlier = [...this.#opened.values()]
      .filter(({ report: { atTicks } }) => atTicks !== null && atTicks < afterTicks)
      .toSorted((a, b) => (b.report.atTicks ?? 0) - (a.report.atTicks ?? 0))
      .find(({ servers }) => pairsOf(servers, after.servers).length > 0)
    const beforeTicks = earlier?.report.atTicks ?? null
    if (earlier === undefined || beforeTicks === null) return null
    const come = findingsBeyond(after.report.triage, earlier.report.triage)
    const gone = findingsBeyond(earlier.report.triage, after.report.triage)
    const changes = (await Promise.all(pairsOf(earlier.servers, after.servers).map(readChanges))).flat()
    return {
      before: earlier.report.file,
      beforeTicks,
      afterTicks,
      come: come.certain,
      gone: gone.certain,
      unjudged: [...come.unjudged, ...gone.unjudged],
      changes: changes.slice(0, MOST_CHANGES),
      more: Math.max(0, changes.length - MOST_CHANGES),
    }
  }

  readonly responses = {
    'package.report': ({ file }) => this.#opened.get(file)?.report ?? null,
    'package.changes': ({ file }) => this.#changes(file),
    'package.notices': ({ sources }) =>
      [...this.#opened].flatMap(([file, { servers }]) =>
        servers.flatMap(({ databases }) =>
          databases
            .filter(({ folder }) => sources.includes(packageSource(file, folder)))
            .flatMap(({ name, answers }) =>
              (valueOf(answers.notices)?.notices ?? []).map(
                ({ atTicks: createdTicks, type, kind, severity, title, message }) => ({
                  createdTicks,
                  type,
                  kind,
                  severity,
                  title,
                  message,
                  database: name,
                }),
              ),
            ),
        ),
      ),
    'package.database': ({ file, prefix, database }) => {
      const server = this.#opened.get(file)?.servers.find((each) => each.prefix === prefix)
      const found = server?.databases.find(({ name }) => name === database)
      return found === undefined ? null : detailOf(found)
    },
  } satisfies Handlers<keyof PackageRequests>
}
