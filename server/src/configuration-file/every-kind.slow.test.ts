import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createExample, type ExampleTenant, kindCases } from '#test/configuration-file/example.ts';
import {
  clientSecret,
  createInstallation,
  type Installation,
  providerKey,
  userPassword,
} from '#test/configuration-file/installation.ts';
import { type LyingOpenIdProvider, startLyingOpenIdProvider } from '#test/providers/lying-openid-provider.ts';
import { allKinds } from './kinds/all-kinds.ts';
import type { KindName } from './kinds/kind.ts';

let installation: Installation;
let openid: LyingOpenIdProvider;
beforeAll(async () => {
  installation = await createInstallation();
  openid = await startLyingOpenIdProvider();
});
afterAll(async () => {
  await openid.close();
  await installation.close();
});

interface PlanJson {
  readonly changes: readonly { action: string; kind: string; name: string; fields: object }[];
  readonly unlisted: readonly { kind: string; name: string }[];
}

async function apply(edit: (tenant: ExampleTenant) => void, ...options: readonly string[]) {
  const tenant = createExample(openid.issuer);
  edit(tenant);
  const file = await installation.write('sluice.json', { tenants: [tenant] });
  const { code, stderr, stdout } = await installation.run(['apply', '-f', file, '--json', ...options]);
  if (code === 1) throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as PlanJson) };
}

const unchanged = () => undefined;

async function readIds() {
  const { rows } = await installation.database.pool.query<{ kind: string; name: string; object_id: number }>(
    'SELECT kind, name, object_id FROM managed_objects',
  );
  return (kind: KindName, name: string): number => {
    const row = rows.find((one) => one.kind === kind && one.name === name);
    if (!row)
      throw new Error(
        `no ${kind} "${name}" is managed: ${rows.map((one) => `${one.kind} ${one.name}`).join(', ')}`,
      );
    return row.object_id;
  };
}

describe('sluice apply', () => {
  it('apply creates objects of every kind in a new tenant, and a second apply has nothing to do', async () => {
    const planned = await apply(unchanged, '--plan');
    expect(planned.code).toBe(2);
    const { rows } = await installation.database.pool.query("SELECT FROM tenants WHERE slug = 'acme'");
    expect(rows).toEqual([]);
    const made = await apply(unchanged);
    expect(made.changes).toEqual(planned.changes);
    const isChange = ({ isSingle, name }: (typeof allKinds)[number]) => isSingle && name !== 'tenant';
    expect(new Set(made.changes.filter(({ action }) => action === 'create').map(({ kind }) => kind))).toEqual(
      new Set(allKinds.filter((kind) => !isChange(kind)).map(({ name }) => name)),
    );
    expect(new Set(made.changes.map(({ kind }) => kind))).toEqual(new Set(allKinds.map(({ name }) => name)));
    expect(await apply(unchanged)).toMatchObject({ code: 0, changes: [] });
    expect(await apply(unchanged, '--plan')).toMatchObject({ code: 0, changes: [] });
  });

  it.each(allKinds.flatMap(({ name }) => (kindCases[name].change ? [name] : [])))(
    'apply changes one field of a %s, and the plan shows only that change',
    async (kind) => {
      const change = kindCases[kind].change ?? unchanged;
      const planned = await apply(change, '--plan');
      expect(planned).toMatchObject({ code: 2, changes: [{ action: 'update', kind }] });
      expect(planned.changes).toHaveLength(1);
      expect(Object.keys(planned.changes[0]?.fields ?? {})).toHaveLength(1);
      expect((await apply(change)).changes).toEqual(planned.changes);
      expect(await apply(change, '--plan')).toMatchObject({ code: 0, changes: [] });
      expect((await apply(unchanged)).changes).toHaveLength(1);
    },
  );

  it.each(allKinds.map(({ name }) => name))(
    'a call that changes a managed %s returns 409 and names the file',
    async (kind) => {
      const [method, path, body] = kindCases[kind].call(await readIds());
      const answer = await installation.call('acme', method, path, body);
      expect(answer).toMatchObject({ status: 409 });
      expect(answer.body).toContain('is managed by a configuration file (');
      expect(answer.body).toContain('sluice.json');
      expect(await apply(unchanged, '--plan')).toMatchObject({ code: 0, changes: [] });
    },
  );

  it.each(allKinds.filter(({ name }) => kindCases[name].omit).map(({ name }) => name))(
    'apply --prune deletes a %s that the file no longer lists, and apply without it does not',
    async (kind) => {
      const { name = '', from = unchanged } = kindCases[kind].omit ?? {};
      const kept = await apply(from);
      expect(kept.changes).toEqual([]);
      expect(kept.unlisted).toContainEqual(expect.objectContaining({ kind, name }));
      const planned = await apply(from, '--prune', '--plan');
      expect(planned.changes).toContainEqual(expect.objectContaining({ action: 'delete', kind, name }));
      expect((await apply(from, '--prune')).changes).toEqual(planned.changes);
      expect(await apply(from, '--prune', '--plan')).toMatchObject({ code: 0, changes: [], unlisted: [] });
      await apply(unchanged);
      expect(await apply(unchanged, '--plan')).toMatchObject({ code: 0, changes: [] });
    },
  );

  it('a running worker uses applied changes', async () => {
    const id = (await readIds())('user', 'ben@acme.test');
    const created = await installation.call('acme', 'POST', `/admin/users/${id}/api-key`, {});
    const apiKey: string = JSON.parse(created.body).api_key;
    await vi.waitFor(async () => expect(await installation.listModels(apiKey)).toContain('gpt-4o'), 5_000);
    await apply((tenant) => void Object.assign(tenant.user_grants[0] ?? {}, { models: ['gpt-4o-mini'] }));
    await vi.waitFor(
      async () => expect(await installation.listModels(apiKey)).not.toContain('gpt-4o'),
      5_000,
    );
    await apply(unchanged);
  });

  it('apply --release lets the console change objects that the file no longer lists', async () => {
    const dropBlacklist = (tenant: ExampleTenant) => void Object.assign(tenant, { blacklist: [] });
    const [method, path] = kindCases.blacklist_entry.call(await readIds());
    expect((await apply(dropBlacklist)).unlisted).toHaveLength(1);
    expect(await installation.call('acme', method, path)).toMatchObject({ status: 409 });
    await apply(dropBlacklist, '--release');
    expect(await apply(dropBlacklist, '--prune', '--plan')).toMatchObject({ code: 0, changes: [] });
    expect(await installation.call('acme', method, path)).toMatchObject({ status: 204 });
    await apply(unchanged);
  });

  it('the test cases cover a change or an omission of every kind', () => {
    for (const { isSingle, name } of allKinds) {
      expect(kindCases[name].change ?? kindCases[name].omit, name).toBeDefined();
      if (!isSingle) expect(kindCases[name].omit, name).toBeDefined();
    }
  });

  it('apply and export print no secret', async () => {
    await installation.run(['export']);
    await installation.run(['export', '--json']);
    const text = installation.printed.join('\n');
    for (const secret of [providerKey, clientSecret, userPassword]) expect(text).not.toContain(secret);
    expect(text).toContain('(secret)');
  });

  it('apply --plan reports no changes for an export, as YAML and as JSON', async () => {
    const { stdout: yaml } = await installation.run(['export']);
    const { stdout: json } = await installation.run(['export', '--json']);
    for (const text of [yaml, json]) {
      const { code, stdout, stderr } = await installation.run(['apply', '-f', '-', '--plan'], text);
      expect({ code, stdout, stderr }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Nothing to do'),
      });
    }
  });
});
