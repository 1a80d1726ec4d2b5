import type { JournalSource } from '../../feeds/server/data/bottleneck/steps.ts'
import { newestBottlenecks } from '../../feeds/server/data/bottleneck/newest.ts'
import type { ServerFeed } from '../../feeds/server/data/feed.ts'
import { NO_OTHERS, type OtherFacts } from '../../features/triage/data/facts.ts'
import { triageResponses } from '../../features/triage/data/responses.ts'

/** Judges a server continuously while its feed collects, so that the start of each finding is known. */
export function judgedServer(
  server: ServerFeed,
  others: () => OtherFacts = () => NO_OTHERS,
  journal: JournalSource | null = null,
): Pick<ReturnType<typeof triageResponses>, 'responses'> {
  const { responses, judge } = triageResponses(server, { others, bottleneckOf: newestBottlenecks(journal) })
  server.judgeBy((governor) => void judge(governor))
  return { responses }
}
