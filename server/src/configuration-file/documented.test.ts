import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstallation, type Installation } from '#test/configuration-file/installation.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../../docs/operating/configuration-as-code.md'),
  'utf8',
);

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
  await installation.database.pool.query("UPDATE tenants SET slug = 'default', name = 'Default'");
});
afterAll(() => installation.close());

const blockWith = (language: string, words: string) => {
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, name, text]) => name === language && text?.includes(words));
  if (!found?.[2]) throw new Error(`the page has no block with ${words}`);
  return found[2];
};

it('the commands of docs/operating/configuration-as-code.md work in their order', async () => {
  const lines = [...page.matchAll(/^(?:(\w+)=(\S+) )?npx sluice (.*)$/gm)];
  expect(lines.length).toBeGreaterThan(3);
  await installation.write('team.yaml', blockWith('yaml', 'slug: default'));
  const outputs: string[] = [];
  for (const [, name, value, words = ''] of lines) {
    if (name && value) installation.env[name] = value;
    const [args = '', target] = words.split(' > ');
    const { code, stderr, stdout } = await installation.run(
      args.split(' ').map((word) => word.replace(/^(\w+\.yaml)$/, join(installation.folder, '$1'))),
    );
    const expected = args === 'apply -f team.yaml --plan' ? 2 : 0;
    expect({ args, code, stderr: code === expected ? '' : stderr }).toEqual({
      args,
      code: expected,
      stderr: '',
    });
    if (target) await installation.write(target, stdout);
    outputs.push(stdout);
  }
  const plan = blockWith('text', 'Tenant default').split('...\n');
  const shown = outputs.find((output) => output.includes('+ team "Platform"')) ?? '';
  for (const part of plan) expect(shown).toContain(part.trimEnd());
});

it('the pipeline of docs/operating/configuration-as-code.md treats exit code 2 of a plan as success', () => {
  const pipeline = blockWith('yaml', 'runs-on');
  expect(pipeline).toContain('--plan || [ $? -eq 2 ]');
  expect(pipeline).toContain('run: npx sluice apply -f sluice.yaml --prune\n');
});
