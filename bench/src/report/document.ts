import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../../../proofs/src/document.ts';

const path = join(import.meta.dirname, '../../../docs/BENCHMARKS.md');
const introduction = `# Benchmarks

These benchmarks measure the cost of Sluice. \`npm run bench <name>\` runs one of them and rewrites its section; a run with \`--quick\` only prints the results.
Figures of one section come from one run, in which the subjects take turns. Compare ratios, since absolute figures depend on the machine.
bench/README.md describes each benchmark. Missed goals come first.
`;

const folderOptions = new Set(['--against', '--peers', '--data']);
const fileOptions = new Set(['--one-api']);

export interface Report {
  readonly goals: readonly Goal[];
  readonly summary?: string;
  readonly tables: readonly string[];
}

/**
 * Prints a report, and saves it as a section of docs/BENCHMARKS.md unless the run used `--quick`. The section is
 * named after the command unless another name is given.
 */
export function publish(
  name: string,
  args: readonly string[],
  { goals, summary, tables }: Report,
  command = name,
): void {
  const shown = args.map((arg, index) => hideLocation(arg, args[index - 1] ?? ''));
  const options = args.length > 0 ? ` -- ${shown.join(' ')}` : '';
  const text = [...(goals.length > 0 ? [goalsTable(goals)] : []), ...tables].join('\n\n');
  console.log(`\n${summary === undefined ? '' : `${summary}\n\n`}${text}`);
  if (args.includes('--quick')) return;
  const section = [
    `## ${name}`,
    '',
    `\`npm run bench ${command}${options}\`, ${new Date().toISOString().slice(0, 10)}, commit ${readCommit()}, on ${describeMachine()}.`,
    '',
    ...(summary === undefined ? [] : [summary, '']),
    '```text',
    text,
    '```',
  ].join('\n');
  const document = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, replaceSection(document, name, section, introduction));
}

function hideLocation(arg: string, option: string): string {
  if (folderOptions.has(option)) return '<folder>';
  return fileOptions.has(option) ? '<file>' : arg;
}

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':!/docs') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

const firstSection = 'peers';

/** Inserts or replaces the section. `peers` is first, and the other sections follow by id. */
export function replaceSection(document: string, id: string, section: string, head: string): string {
  const [, ...parts] = document.split(/^(?=## )/m);
  const sections = new Map(parts.map((part) => [/^## ([\w-]+)/.exec(part)?.[1] ?? '', part.trimEnd()]));
  sections.set(id, section.trimEnd());
  const rank = (id: string) => Number(id !== firstSection);
  const ordered = [...sections].toSorted(
    ([left], [right]) => rank(left) - rank(right) || left.localeCompare(right),
  );
  return `${[head.trimEnd(), ...ordered.map(([, part]) => part)].join('\n\n')}\n`;
}

export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** Returns the goal for a figure, or an empty list if the figure is unknown. */
export function atMost(name: string, figure: number | null | undefined, most: number): Goal[] {
  if (figure === null || figure === undefined) return [];
  return [{ name, wanted: `<= ${most}`, measured: figure.toFixed(2), isMet: figure <= most }];
}

function goalsTable(goals: readonly Goal[]): string {
  const ordered = goals.toSorted((one, other) => Number(one.isMet) - Number(other.isMet));
  const rows = ordered.map(({ name, wanted, measured, isMet }) => [
    name,
    measured,
    wanted,
    isMet ? 'met' : 'MISSED',
  ]);
  return formatTable([['goal', 'measured', 'wanted', ''], ...rows]);
}

/** The first column is left-aligned, all others are right-aligned. */
export function formatTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => align(cell, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

export function formatFigure(figure: number | null, digits: number): string {
  return figure === null ? '-' : figure.toFixed(digits);
}

function align(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

export function describeRun(name: string, args: string[]): string {
  const cores = cpus();
  const load = loadavg().map((average) => average.toFixed(2));
  const options = args.length > 0 ? ` -- ${args.join(' ')}` : '';
  return [
    `${cores.length} cores (${cores[0]?.model.trim()}), load average ${load.join(' ')}, Node ${process.version}`,
    `npm run bench ${name}${options}`,
  ].join('\n');
}
