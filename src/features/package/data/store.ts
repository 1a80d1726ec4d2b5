import type { ListedPackage } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { PackageReport, PackageRequests, PackageTriage } from '../contract.ts'
import { readPackage, type AnsweredServer } from './packages.ts'
import { detailOf, reportOf } from './reports.ts'

/** Judges servers by their answers; rules are of another feature. */
export type JudgePackage = (servers: readonly AnsweredServer[]) => PackageTriage

interface OpenedPackage {
  readonly servers: readonly AnsweredServer[]
  readonly report: PackageReport
}

/** Debug packages that are open, by the names of their files. */
export class Packages {
  readonly #judge: JudgePackage
  readonly #opened = new Map<string, OpenedPackage>()

  constructor(judge: JudgePackage) {
    this.#judge = judge
  }

  /** How many servers it holds. */
  async take(listed: ListedPackage): Promise<number> {
    const servers = await readPackage(listed)
    if (servers.length > 0)
      this.#opened.set(listed.name, { servers, report: reportOf(listed.name, servers, this.#judge(servers)) })
    return servers.length
  }

  readonly responses = {
    'package.report': ({ file }) => this.#opened.get(file)?.report ?? null,
    'package.database': ({ file, prefix, database }) => {
      const server = this.#opened.get(file)?.servers.find((each) => each.prefix === prefix)
      const found = server?.databases.find(({ name }) => name === database)
      return found === undefined ? null : detailOf(found)
    },
  } satisfies Handlers<keyof PackageRequests>
}
