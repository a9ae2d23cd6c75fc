import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for processes and timeouts: other files can run in parallel with them, but not after them. */
const longFiles = [
  'cli/backup',
  'console/llm-comparison/killed-node',
  'console/system/readiness',
  'gateway/allowance/shared-limits',
  'gateway/test/billed-positions',
  'gateway/test/kill',
  'supervisor/npm-start',
  'supervisor/nodes',
  'supervisor/supervise',
  'supervisor/changes-hold',
  'gateway/test/database-away',
  'gateway/test/drain',
  'gateway/test/outage',
  'gateway/snapshot/follow-changes',
  'jobs/keep-log-partitions',
  'jobs/send-alerts',
  'supervisor/failover',
  'supervisor/metrics',
  'access/matrix',
];

/**
 * vitest's order, which is based on the durations of the last run, except that files which always take long come first,
 * after the journeys: a worker that changes between projects starts again.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longFiles.some((file) => moduleId.endsWith(`/${file}.test.ts`));
    const rankOf = (file: TestSpecification) => (file.project.name === 'journeys' ? 0 : isLong(file) ? 1 : 2);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
