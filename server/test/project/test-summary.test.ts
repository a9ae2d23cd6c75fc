import { expect, it } from 'vitest';
import { type FinishedFile, formatSummary, summarizeFile } from '../../../scripts/test-summary.ts';

interface PlantedTest {
  readonly state: string;
  readonly isFlaky?: boolean;
  readonly errors?: readonly { readonly message: string; readonly diff?: string }[];
}

const plantFile = (
  name: string,
  duration: number,
  tests: readonly PlantedTest[],
  other: Partial<FinishedFile> & { suite?: string } = {},
) =>
  summarizeFile(name, {
    diagnostic: () => ({ duration }),
    state: () => 'passed',
    errors: () => [],
    ...other,
    children: {
      *allTests() {
        for (const test of tests)
          yield {
            fullName: `a test that ${test.state}`,
            result: () => test,
            diagnostic: () => ({ flaky: test.isFlaky ?? false }),
          };
      },
      *allSuites() {
        yield { fullName: 'a suite', errors: () => (other.suite ? [{ message: other.suite }] : []) };
      },
    },
  });

it('the summary of npm test has the counts, the time, the ten slowest files, and flaky and failed tests', () => {
  const files = [
    plantFile('flaky', 12_000, [{ state: 'passed', isFlaky: true }, { state: 'skipped' }]),
    plantFile('broken', 1, [], { state: () => 'failed' }),
    ...Array.from({ length: 11 }, (_, index) =>
      plantFile(`file-${index}`, index * 1_000, [{ state: 'passed' }, { state: 'failed' }]),
    ),
  ];
  expect(formatSummary(files, 65_400).split('\n')).toEqual([
    'Tests    12 passed, 12 failed, 1 skipped in 13 files',
    'Time     65 s',
    'Slowest',
    '    12 s  flaky',
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${`${index} s`.padStart(8)}  file-${index}`),
    'Flaky    1',
    '  flaky > a test that passed',
    'Failed   11',
    ...Array.from({ length: 11 }, (_, index) => `  file-${index} > a test that failed`),
  ]);
});

it('the summary of npm test states that no test was flaky and none failed', () => {
  const text = formatSummary([plantFile('calm', 1, [{ state: 'passed' }])], 1);
  expect(text).toMatch(/^Flaky {4}none\nFailed {3}none$/m);
});

const readFailed = (text: string) => text.split('\n').slice(text.split('\n').indexOf('Flaky    none') + 1);

it('the summary of npm test ends with each failed test, suite and file, and the errors outside of tests', () => {
  const message = 'expected 1 to be 2';
  const diff = '\u001b[32m- Expected\u001b[39m\n+ Received\n\n- 2\n+ 1\na sixth line';
  const files = [
    plantFile('one', 1, [{ state: 'failed', errors: [{ message, diff }] }]),
    plantFile('soft', 1, [{ state: 'failed', errors: [{ message, diff }, { message: 'x'.repeat(1_000) }] }]),
    plantFile('hook', 1, [], { suite: 'no such table' }),
    plantFile('syntax', 1, [], { errors: () => [{ message: 'Unexpected token' }] }),
  ];
  const outside = [new Error('an unhandled rejection'), 'a thrown text'];
  expect(readFailed(formatSummary(files, 1, outside))).toEqual([
    'Failed   6',
    '  one > a test that failed',
    '      expected 1 to be 2',
    '      - Expected',
    '      + Received',
    '      - 2',
    '      + 1',
    '  soft > a test that failed',
    '      expected 1 to be 2',
    `      ${'x'.repeat(200)}`,
    '  hook > a suite',
    '      no such table',
    '  syntax',
    '      Unexpected token',
    '  outside of tests',
    '      an unhandled rejection',
    '  outside of tests',
    '      a thrown text',
  ]);
});

it('the summary of npm test shows at most 20 failures', () => {
  const tests = Array.from({ length: 23 }, () => ({ state: 'failed', errors: [{ message: 'no' }] }));
  const lines = readFailed(formatSummary([plantFile('many', 1, tests)], 1));
  expect(lines).toHaveLength(1 + 2 * 20 + 1);
  expect(lines.at(-1)).toBe('  and 3 more');
});
