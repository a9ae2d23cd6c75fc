import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../../server/proofs/document.ts';
import { type Goal, goalsTable } from './goals.ts';

const path = join(import.meta.dirname, '../../../docs/BENCHMARKS.md');
const introduction = `# Benchmarks

The cost of Sluice. \`npm run bench <name>\` runs one benchmark and rewrites its section; a run with \`--quick\` only prints.
Figures of one section come from one run, in which the subjects take turns. Compare ratios, since absolute figures depend on the machine.
bench/README.md describes each benchmark. Missed goals come first.
`;

const folderOptions = new Set(['--against', '--peers']);

export interface Report {
  readonly goals: readonly Goal[];
  /** Tables below the goals, each with its heading line. */
  readonly tables: readonly string[];
}

/** Prints a report and saves it as a section of docs/BENCHMARKS.md, unless the run used `--quick`. */
export function publish(name: string, args: readonly string[], { goals, tables }: Report): void {
  // The location of a folder on the machine of the run is irrelevant to readers.
  const shown = args.map((arg, index) => (folderOptions.has(args[index - 1] ?? '') ? '<folder>' : arg));
  const options = args.length > 0 ? ` -- ${shown.join(' ')}` : '';
  const text = [...(goals.length > 0 ? [goalsTable(goals)] : []), ...tables].join('\n\n');
  console.log(`\n${text}`);
  if (args.includes('--quick')) return;
  const section = [
    `## ${name}`,
    '',
    `\`npm run bench ${name}${options}\`, ${new Date().toISOString().slice(0, 10)}, commit ${readCommit()}, on ${describeMachine()}.`,
    '',
    '```text',
    text,
    '```',
  ].join('\n');
  const document = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, replaceSection(document, name, section, introduction));
}

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':!/docs') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

/** Returns a Markdown document with this section inserted or replaced; sections are ordered by id. */
export function replaceSection(document: string, id: string, section: string, head: string): string {
  const [, ...parts] = document.split(/^(?=## )/m);
  const sections = new Map(parts.map((part) => [/^## ([\w-]+)/.exec(part)?.[1] ?? '', part.trimEnd()]));
  sections.set(id, section.trimEnd());
  const ordered = [...sections].toSorted(([left], [right]) => left.localeCompare(right));
  return `${[head.trimEnd(), ...ordered.map(([, part]) => part)].join('\n\n')}\n`;
}
