import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { ProofResult } from './proof.ts';

const introduction = `# Proofs

Claims that \`npm test\` checks on a sample and \`npm run proofs\` at full size. \`npm run proofs kill\` runs one proof. Each run rewrites its
page and this table, and fails if the claim did not hold. [full-size](proofs/full-size.md) lists the tests that only proofs run.
`;

interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly verdict: string;
  readonly day: string;
}

/** Writes the page of a run and updates the table of all proofs. */
export function saveProof(docs: string, id: string, result: ProofResult, ranAt: Date): string {
  const page = formatPage(result, ranAt);
  const folder = join(docs, 'proofs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.md`), page);
  const ids = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const outcomes = ids.map((name) =>
    readOutcome(name.slice(0, -3), readFileSync(join(folder, name), 'utf8')),
  );
  writeFileSync(join(docs, 'PROOFS.md'), formatTable(outcomes));
  return page;
}

export function formatPage({ title, holds, text }: ProofResult, ranAt: Date): string {
  const verdict = holds ? 'Holds' : '**Does not hold**';
  return `# ${capitalize(title)}

${verdict}, ${ranAt.toISOString().slice(0, 10)}, on ${describeMachine()}.

${text.trim()}
`;
}

export function readOutcome(id: string, page: string): Outcome {
  const [, title = '', verdict = '', day = ''] = /^# (.*)\n\n(.*?), (\S+), on /.exec(page) ?? [];
  return { id, title, verdict, day };
}

export function formatTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes
    .toSorted((left, right) => left.id.localeCompare(right.id))
    .map(({ id, title, verdict, day }) => `| [${id}](proofs/${id}.md) | ${title} | ${verdict} | ${day} |`);
  return [introduction, '| proof | claim | result | last run |', '|---|---|---|---|', ...rows, ''].join('\n');
}

export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
