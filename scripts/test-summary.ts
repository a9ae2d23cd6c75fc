import { stripVTControlCharacters } from 'node:util';

const slowestMax = 10;
/** Maximum number of listed failures. Often, only the end of a long output is available. */
const failuresMax = 20;
const linesMax = 5;
const lineCharsMax = 200;

interface ReportedError {
  readonly message: string;
  readonly diff?: string;
}

interface FinishedSuite {
  readonly fullName: string;
  errors(): readonly ReportedError[];
}

export interface FinishedFile {
  diagnostic(): { readonly duration: number };
  state(): string;
  errors(): readonly ReportedError[];
  readonly children: {
    allTests(): Iterable<{
      readonly fullName: string;
      result(): { readonly state: string; readonly errors?: readonly ReportedError[] | undefined };
      diagnostic(): { readonly flaky: boolean } | undefined;
    }>;
    allSuites(): Iterable<FinishedSuite>;
  };
}

interface Failure {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface FileSummary {
  readonly name: string;
  readonly durationMs: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full titles of tests that passed only after a retry. */
  readonly flaky: readonly string[];
  readonly failures: readonly Failure[];
}

export function summarizeFile(name: string, file: FinishedFile): FileSummary {
  const tests = [...file.children.allTests()];
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const failed = count('failed');
  const failedTests = tests.filter((test) => test.result().state === 'failed');
  const suites = [...file.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return {
    name,
    durationMs: file.diagnostic().duration,
    passed: count('passed'),
    // Files may fail without a failed test.
    failed: failed === 0 && file.state() === 'failed' ? 1 : failed,
    skipped: count('skipped'),
    flaky: tests.filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName),
    failures: [
      ...(file.errors().length > 0 ? [describeFailure(name, file.errors())] : []),
      ...suites.map((suite) => describeFailure(`${name} > ${suite.fullName}`, suite.errors())),
      ...failedTests.map((test) => describeFailure(`${name} > ${test.fullName}`, test.result().errors ?? [])),
    ],
  };
}

function describeFailure(title: string, errors: readonly ReportedError[]): Failure {
  const texts = errors.map(({ message, diff = '' }) => `${message}\n${diff}`);
  const lines = texts.map((text) => stripVTControlCharacters(text).split('\n').filter(Boolean));
  // Soft expectations report several errors, each of which is shown with its first line.
  const shown = lines.length === 1 ? lines.flat() : lines.map(([first = '']) => first);
  return { title, lines: shown.slice(0, linesMax).map((line) => line.slice(0, lineCharsMax)) };
}

/** `outside` contains errors that do not belong to a test, such as unhandled rejections. */
export function formatSummary(
  files: readonly FileSummary[],
  durationMs: number,
  outside: readonly unknown[] = [],
): string {
  const sum = (name: 'passed' | 'failed' | 'skipped') =>
    files.reduce((total, file) => total + file[name], 0).toLocaleString('en-US');
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const slowest = files.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, slowestMax);
  const flaky = files.flatMap((file) => file.flaky.map((test) => `${file.name} > ${test}`));
  const failures = [
    ...files.flatMap((file) => file.failures),
    ...outside.map((error) => describeFailure('outside of tests', [readError(error)])),
  ];
  return [
    `Tests    ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped in ${files.length} files`,
    `Time     ${seconds(durationMs)}`,
    'Slowest',
    ...slowest.map((file) => `${seconds(file.durationMs).padStart(8)}  ${file.name}`),
    `Flaky    ${flaky.length === 0 ? 'none' : flaky.length}`,
    ...flaky.map((test) => `  ${test}`),
    `Failed   ${failures.length === 0 ? 'none' : failures.length}`,
    ...failures
      .slice(0, failuresMax)
      .flatMap(({ title, lines }) => [`  ${title}`, ...lines.map((line) => `      ${line}`)]),
    ...(failures.length > failuresMax ? [`  and ${failures.length - failuresMax} more`] : []),
  ].join('\n');
}

const readError = (error: unknown): ReportedError =>
  typeof error === 'object' && error !== null && 'message' in error
    ? { message: String(error.message) }
    : { message: String(error) };
