import { cpus, totalmem } from 'node:os';
import type { ProofResult } from './proof.ts';

const introduction = `# Proofs

What \`npm test\` shows on a sample, shown at full size. \`npm run proofs\` runs all of them, \`npm run proofs kill\` one; each
run writes its own section anew and ends with an error when the claim did not hold.
`;

/** Returns the document with this section inserted or replaced; sections are ordered by id. */
export function replaceSection(document: string, id: string, section: string, head = introduction): string {
  const [, ...parts] = document.split(/^(?=## )/m);
  const sections = new Map(parts.map((part) => [/^## ([\w-]+)/.exec(part)?.[1] ?? '', part.trimEnd()]));
  sections.set(id, section.trimEnd());
  const ordered = [...sections].toSorted(([left], [right]) => left.localeCompare(right));
  return `${[head.trimEnd(), ...ordered.map(([, part]) => part)].join('\n\n')}\n`;
}

/** Formats the section of one run. */
export function formatSection(id: string, { title, holds, text }: ProofResult, ranAt: Date): string {
  return [
    `## ${id}: ${title}`,
    '',
    `${holds ? 'Holds' : '**Does not hold**'}, ${ranAt.toISOString().slice(0, 10)}, on ${describeMachine()}.`,
    '',
    text.trim(),
    '',
  ].join('\n');
}

export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
