import { expect, it } from 'vitest';
import { formatSummary, summarizeFile } from '../../../scripts/test-summary.ts';

interface PlantedTest {
  readonly state: string;
  readonly isFlaky?: boolean;
}

const plantFile = (name: string, duration: number, tests: readonly PlantedTest[], state = 'passed') =>
  summarizeFile(name, {
    diagnostic: () => ({ duration }),
    state: () => state,
    children: {
      *allTests() {
        for (const test of tests)
          yield {
            fullName: `${name} ${test.state}`,
            result: () => test,
            diagnostic: () => ({ flaky: test.isFlaky ?? false }),
          };
      },
    },
  });

it('the summary of npm test has the counts, the time, the ten slowest files and the flaky tests', () => {
  const files = [
    plantFile('flaky', 12_000, [{ state: 'passed', isFlaky: true }, { state: 'skipped' }]),
    plantFile('broken', 1, [], 'failed'),
    ...Array.from({ length: 11 }, (_, index) =>
      plantFile(`file-${index}`, index * 1_000, [{ state: 'passed' }, { state: 'failed' }], 'failed'),
    ),
  ];
  expect(formatSummary(files, 65_400).split('\n')).toEqual([
    'Tests    12 passed, 12 failed, 1 skipped in 13 files',
    'Time     65 s',
    'Slowest',
    '    12 s  flaky',
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${`${index} s`.padStart(8)}  file-${index}`),
    'Flaky    1',
    '  flaky > flaky passed',
  ]);
});

it('the summary of npm test says that no test was flaky', () => {
  expect(formatSummary([plantFile('calm', 1, [{ state: 'passed' }])], 1)).toMatch(/^Flaky {4}none$/m);
});
