import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { callCommand } from '#test/processes/run-command.ts';
import { allKinds } from './kinds/all-kinds.ts';
import { describeConfiguration } from './schema.ts';

const docs = join(import.meta.dirname, '../../../docs');

it('docs/sluice.schema.json is the schema of the configuration', async () => {
  // To update the file, run `npx vitest run configuration-file/schema -u`.
  const text = `${JSON.stringify(describeConfiguration(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(docs, 'sluice.schema.json'));
});

it('apply --schema prints the schema of the configuration without an installation', async () => {
  const { code, stdout } = await callCommand(['apply', '--schema'], { SLUICE_DATA_DIR: '/nowhere' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(describeConfiguration());
});

it('the schema of the configuration has every collection and no defaults', () => {
  const text = JSON.stringify(describeConfiguration());
  for (const { collection } of allKinds) if (collection !== '') expect(text).toContain(`"${collection}":`);
  expect(text).not.toContain('"default":');
});

it('docs/operating/configuration-as-code.md lists every collection of a tenant, and its examples are valid YAML', () => {
  const page = readFileSync(join(docs, 'operating/configuration-as-code.md'), 'utf8');
  for (const { collection } of allKinds) if (collection !== '') expect(page).toContain(`\`${collection}\``);
  for (const [, block = ''] of page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm))
    expect(() => parse(block)).not.toThrow();
});
