import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for processes that end and for times that run out: what else there is fits beside them, but not after them. */
const longFiles = [
  'console/llm-comparison/killed-node',
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
  'access/matrix',
];

/** The order of vitest, which knows the times of the last run only, but for the files that are long in any run. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longFiles.some((file) => moduleId.endsWith(`/${file}.test.ts`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
