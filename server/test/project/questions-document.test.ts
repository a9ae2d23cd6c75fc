import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const commands = [...read('docs/operating/questions.md').matchAll(/^```\n(.*)\n```/gm)].map(
  ([, command = '']) => command,
);
const proofs = [...read('proofs/src/run.ts').matchAll(/^ {2}\['([\w-]+)', prove/gm)].map(([, id]) => id);

it('each question in the questions document has a command', () => {
  expect(commands).toHaveLength(read('docs/operating/questions.md').match(/^## /gm)?.length ?? 0);
});

it.each(commands)('the command of the questions document exists: %s', (command) => {
  const [program = '', verb = '', ...operands] = command.split(' ');
  if (program === 'npm') {
    const [script, id] = operands;
    expect([verb, script]).toEqual(['run', 'proofs']);
    expect(proofs).toContain(id);
    return;
  }
  expect([program, verb, ...operands.slice(0, 3)]).toEqual(['npx', 'vitest', 'run', '--project', 'unit']);
  for (const file of operands.slice(3))
    expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
});
