const slowestMax = 10;

/** The part of a finished test file of vitest that the summary needs. */
export interface FinishedFile {
  diagnostic(): { readonly duration: number };
  state(): string;
  readonly children: {
    allTests(): Iterable<{
      readonly fullName: string;
      result(): { readonly state: string };
      diagnostic(): { readonly flaky: boolean } | undefined;
    }>;
  };
}

export interface FileSummary {
  readonly name: string;
  readonly durationMs: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full titles of the tests that passed only when they were retried. */
  readonly flaky: readonly string[];
}

/** Reduces a test file of a finished run to what the summary shows. */
export function summarizeFile(name: string, file: FinishedFile): FileSummary {
  const tests = [...file.children.allTests()];
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const failed = count('failed');
  return {
    name,
    durationMs: file.diagnostic().duration,
    passed: count('passed'),
    // A file may fail outside of its tests.
    failed: failed === 0 && file.state() === 'failed' ? 1 : failed,
    skipped: count('skipped'),
    flaky: tests.filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName),
  };
}

/** Formats the counts and the time of a run, its slowest files, and its flaky tests. */
export function formatSummary(files: readonly FileSummary[], durationMs: number): string {
  const sum = (name: 'passed' | 'failed' | 'skipped') =>
    files.reduce((total, file) => total + file[name], 0).toLocaleString('en-US');
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const slowest = files.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, slowestMax);
  const flaky = files.flatMap((file) => file.flaky.map((test) => `${file.name} > ${test}`));
  return [
    `Tests    ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped in ${files.length} files`,
    `Time     ${seconds(durationMs)}`,
    'Slowest',
    ...slowest.map((file) => `${seconds(file.durationMs).padStart(8)}  ${file.name}`),
    `Flaky    ${flaky.length === 0 ? 'none' : flaky.length}`,
    ...flaky.map((test) => `  ${test}`),
  ].join('\n');
}
