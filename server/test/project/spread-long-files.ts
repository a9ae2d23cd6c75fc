import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for processes and timeouts. Other files should run in parallel with them, not after them. */
const longFiles = [
  'cli/backup.slow',
  'console/llm-comparison/killed-node.slow',
  'console/system/readiness.slow',
  'gateway/allowance/shared-limits',
  'gateway/test/billed-positions.slow',
  'gateway/test/kill',
  'supervisor/npm-start.slow',
  'supervisor/nodes.slow',
  'supervisor/supervise.slow',
  'supervisor/changes-hold.slow',
  'gateway/test/database-away.slow',
  'gateway/test/drain.slow',
  'gateway/test/outage.slow',
  'gateway/snapshot/follow-changes.slow',
  'jobs/keep-log-partitions.slow',
  'jobs/send-alerts.slow',
  'supervisor/failover.slow',
  'supervisor/metrics.slow',
  'access/matrix',
];

/**
 * Number of files between two long files. That many short files take as long as one long file, so half of the workers
 * run long files, which mostly wait.
 */
const filesBetween = 8;

/**
 * Orders files like vitest, by the durations of the last run, but spreads long files over the first half. Journeys
 * are first, since a worker that changes between projects restarts.
 */
export class SpreadLongFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longFiles.some((file) => moduleId.endsWith(`/${file}.test.ts`));
    const [journeys = [], unit = []] = [true, false].map((isJourney) =>
      sorted.filter(({ project }) => (project.name === 'journeys') === isJourney),
    );
    const others = unit.filter((file) => !isLong(file));
    const spread = unit.filter(isLong).flatMap((file) => [file, ...others.splice(0, filesBetween)]);
    return [...journeys, ...spread, ...others];
  }
}
