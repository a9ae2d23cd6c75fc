import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '#test/configuration-file/installation.ts';
import { bytesMax, objectsMax } from './bounds.ts';
import { ConfigurationError } from './faults.ts';
import { parseConfiguration } from './read-files.ts';

function faultsOf(text: string): string[] {
  try {
    parseConfiguration([{ file: 'sluice.yaml', text }]);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

const faulty = `tenants:
  - slug: Acme
    colour: red
    settings:
      retention_days: 0
    teams:
      - name: Platform
        description: 7
      - name: Platform
    users:
      - email: not an address
      - name: Ada
    providers:
      - name: Main
        vendor: openai
        api_key: sk-plain
    budgets:
      - measure: usd
        window: month
        limit: -1
        action: downgrade
    user_grants:
      - provider: Main
        models: [a]
`;

describe('parseConfiguration', () => {
  it('parseConfiguration reports all faults together with file, line and column', () => {
    expect(faultsOf(faulty)).toEqual([
      'sluice.yaml:2:11: Slug must contain only lowercase letters and digits, separated by single dashes',
      'sluice.yaml:3:5: Unknown field: colour',
      'sluice.yaml:5:23: Log rows must be at least 1 day',
      'sluice.yaml:8:22: Description must be text',
      expect.stringMatching(/^sluice\.yaml:11:16: /),
      expect.stringMatching(/^sluice\.yaml:12:9: /),
      'sluice.yaml:16:18: Write a reference instead of the secret itself: env:NAME, file:PATH, or "stored" to keep the stored secret',
      'sluice.yaml:18:9: Enter the model to downgrade to',
      'sluice.yaml:20:16: The limit must be at least 0',
      'sluice.yaml:23:9: Name either a user or a service_account',
    ]);
  });

  it('parseConfiguration reports an object that is listed twice, with the first place', () => {
    const text = 'tenants:\n  - slug: a\n    teams:\n      - name: Platform\n      - name: PLATFORM\n';
    expect(faultsOf(text)).toEqual([
      'sluice.yaml:5:9: This team is listed twice; the first is at sluice.yaml:4:9',
    ]);
  });

  it.each([
    ['a tab', 'tenants:\n\t- slug: a\n', 2],
    ['a duplicate field', 'tenants: []\ntenants: []\n', 2],
    ['an unclosed quote', 'tenants:\n  - slug: "sk-secret\n', 3],
    ['JSON with a missing bracket', '{"tenants": [{"slug": "a"}', 1],
    ['a text instead of a list', 'tenants: sk-secret\n', 1],
    ['a second document', 'tenants: []\n---\ntenants: []\n', 2],
  ])('parseConfiguration reports %s by its line, without the text', (_, text, line) => {
    const faults = faultsOf(text);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toMatch(new RegExp(`^sluice\\.yaml:${line}:\\d+: `));
    expect(faults.join()).not.toContain('sk-secret');
  });

  it.each([
    ['flow lists', `tenants: ${'['.repeat(100_000)}`],
    ['flow objects', `tenants: ${'{a: '.repeat(100_000)}`],
    ['list markers', `tenants:\n  ${'- '.repeat(100_000)}a`],
    ['indented objects', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['quoted JSON', `{"tenants": ${'{"a":'.repeat(100_000)}`],
  ])('parseConfiguration rejects deeply nested %s within a second', (_, text) => {
    const beganAtMs = performance.now();
    expect(faultsOf(text).join()).toMatch(/nested/);
    expect(performance.now() - beganAtMs).toBeLessThan(1_000);
  });

  it('parseConfiguration rejects aliases that expand to many values', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level++)
      bomb.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    expect(
      faultsOf(`tenants:\n  - slug: a\n    labels:\n${bomb.map((line) => `      ${line}`).join('\n')}`),
    ).toEqual(['sluice.yaml:1:1: An alias is unknown, or aliases repeat too many values']);
  });

  it('parseConfiguration accepts a few aliases', () => {
    const text =
      'tenants:\n  - slug: a\n    teams:\n      - name: One\n        labels: &labels\n          x: y\n      - name: Two\n        labels: *labels\n';
    expect(faultsOf(text)).toEqual([]);
  });

  it('parseConfiguration rejects more objects than the bound', () => {
    const teams = Array.from({ length: objectsMax + 1 }, (_, index) => `{name: team ${index}}`);
    expect(faultsOf(`tenants: [{slug: a, teams: [${teams.join(', ')}]}]`)).toEqual([
      'sluice.yaml:1:1: The configuration has 20,001 objects; at most 20,000 are allowed',
    ]);
  });

  it('parseConfiguration rejects text that PostgreSQL cannot store', () => {
    const text = 'tenants:\n  - slug: a\n    teams:\n      - name: One\n        description: "a\\0b"\n';
    expect(faultsOf(text)).toEqual([
      'sluice.yaml:5:22: Must not contain NUL or unpaired surrogate characters',
    ]);
  });
});

describe('sluice apply with faults', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await createInstallation();
  });
  afterAll(() => installation.close());

  const teamsOf = async () => {
    const { rows } = await installation.database.pool.query('SELECT name FROM teams');
    return rows;
  };

  it('apply reports invalid references, secrets and rules of all tenants with their positions, and changes nothing', async () => {
    const text = `tenants:
  - slug: one
    teams:
      - name: New
    providers:
      - name: Main
        vendor: openai
        api_key: env:NO_SUCH_VARIABLE
        enabled_models: [gpt-4o]
      - name: Stored
        vendor: openai
        api_key: stored
        enabled_models: [gpt-4o]
    service_accounts:
      - name: ci
        team: Nowhere
  - slug: two
    providers:
      - name: Same
        vendor: openai
        api_key: file:missing.txt
        enabled_models: [gpt-4o]
`;
    const file = await installation.write('faulty.yaml', text);
    const { code, stderr } = await installation.run(['apply', '-f', file]);
    expect(code).toBe(1);
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      `${file}:8:18: The environment variable NO_SUCH_VARIABLE is not set`,
      `${file}:12:18: No secret is stored for this object. Specify the secret with env:NAME or file:PATH`,
      `${file}:16:15: There is no team "Nowhere" in this tenant or in the file`,
      `${file}:21:18: The file ${join(installation.folder, 'missing.txt')} cannot be read (ENOENT)`,
    ]);
    expect(await teamsOf()).toEqual([]);
  });

  it('apply reports every change that the product rejects, and saves none', async () => {
    const text = `tenants:
  - slug: one
    teams:
      - name: New
    providers:
      - name: Main
        vendor: no-such-vendor
        api_key: env:OPENAI_KEY
        enabled_models: [gpt-4o]
      - name: Other
        vendor: openai
        api_key: env:OPENAI_KEY
        enabled_models: [gpt-4o]
        model_aliases:
          fast: gpt-5
    domains:
      - name: gmail.com
`;
    const file = await installation.write('rejected.yaml', text);
    for (const options of [[], ['--plan']]) {
      const { code, stderr } = await installation.run(['apply', '-f', file, ...options]);
      expect(code).toBe(1);
      const lines = stderr.split('\n').slice(1, -1);
      expect(lines.map((line) => line.split(': ')[0])).toEqual([
        `${file}:7:17`,
        `${file}:15:11`,
        `${file}:17:15`,
      ]);
      expect(lines[0]).toContain('This provider is not available');
    }
    expect(await teamsOf()).toEqual([]);
  });

  it('apply prints faults as JSON with --json', async () => {
    const file = await installation.write('unknown.yaml', 'tenants: []\nother: 1\n');
    const { code, stderr } = await installation.run(['apply', '-f', file, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stderr.split('\n')[1] ?? '')).toMatchObject({
      faults: [{ file, line: 2, column: 1, message: 'Unknown field: other' }],
    });
  });

  it('apply reads the files of a folder by name and merges their tenants', async () => {
    const folder = join(installation.folder, 'folder');
    await mkdir(folder);
    await installation.write('folder/b.yaml', 'tenants:\n  - slug: one\n    teams:\n      - name: Second\n');
    await installation.write('folder/a.json', { tenants: [{ slug: 'one', teams: [{ name: 'First' }] }] });
    await installation.write('folder/notes.txt', 'not YAML: [');
    expect(await installation.run(['apply', '-f', folder])).toMatchObject({ code: 0 });
    expect(await teamsOf()).toEqual([{ name: 'First' }, { name: 'Second' }]);
    const { rows } = await installation.database.pool.query(
      'SELECT name, file FROM managed_objects ORDER BY name',
    );
    expect(rows).toEqual([
      { name: 'First', file: join(folder, 'a.json') },
      { name: 'Second', file: join(folder, 'b.yaml') },
    ]);
  });

  it('apply rejects a file that is larger than the bound', async () => {
    const file = await installation.write('large.yaml', `# ${'x'.repeat(bytesMax)}\ntenants: []\n`);
    expect(await installation.run(['apply', '-f', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The configuration is larger than 10 MiB'),
    });
  });

  it('apply reports the path of a file that cannot be read', async () => {
    const path = join(installation.folder, 'missing.yaml');
    expect(await installation.run(['apply', '-f', path])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The configuration ${path} cannot be read (ENOENT).`),
    });
  });

  it('apply requires -f, and rejects --prune together with --release', async () => {
    expect(await installation.run(['apply'])).toMatchObject({ code: 2 });
    expect(await installation.run(['apply', '-f', 'a.yaml', '--prune', '--release'])).toMatchObject({
      code: 2,
    });
  });
});
