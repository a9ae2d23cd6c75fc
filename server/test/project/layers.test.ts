import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const layers = '.dependency-cruiser.cjs';
const folderConfig = '.dependency-cruiser.folders.cjs';
const rules = [layers, folderConfig].flatMap(
  (config) =>
    z
      .object({ forbidden: z.array(z.object({ name: z.string() })) })
      .parse(createRequire(import.meta.url)(`../../../${config}`)).forbidden,
);

/** Files to create for each rule. Each contains one import that the rule forbids. */
const plants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'contract-imports-nothing-of-ours': {
    'contract/src/planted.ts': '../../server/src/platform/version.ts',
    'contract/src/planted-package.ts': '@sluice/server/src/platform/version.ts',
  },
  'web-imports-only-contract': { 'web/src/planted.ts': '../../server/src/domain/role.ts' },
  'sandbox-stands-alone': { 'sandbox/src/planted.ts': '@sluice/contract' },
  'domain-is-inner': { 'server/src/domain/planted.ts': '#errors/console-error.ts' },
  'intent-is-inner': { 'server/src/intent/planted.ts': '#domain/role.ts' },
  'protocols-are-inner': { 'server/src/protocols/planted.ts': '#upstream/sse.ts' },
  'json-is-inner': { 'server/src/json/planted.ts': '#protocols/registry.ts' },
  'domain-is-pure': {
    'server/src/domain/planted-files.ts': 'node:fs',
    'server/src/domain/planted-promises.ts': 'node:fs/promises',
    'server/src/domain/planted-bare.ts': 'fs',
    'server/src/domain/planted-bare-promises.ts': 'fs/promises',
    'server/src/domain/planted-names.ts': 'node:dns/promises',
    'server/src/domain/planted-streams.ts': 'node:http2',
    'server/src/domain/planted-threads.ts': 'node:worker_threads',
    'server/src/domain/planted-processes.ts': 'node:child_process',
    'server/src/domain/planted-small-database.ts': 'node:sqlite',
    'server/src/domain/planted-database.ts': 'pg',
    'server/src/domain/planted-queries.ts': 'drizzle-orm/node-postgres',
    'server/src/domain/planted-client.ts': 'undici',
  },
  'intent-is-pure': { 'server/src/intent/planted-files.ts': 'node:fs' },
  'json-is-pure': { 'server/src/json/planted-files.ts': 'node:fs' },
  'protocols-is-pure': { 'server/src/protocols/planted-http.ts': 'node:http' },
  'gateway-does-not-import-console': { 'server/src/gateway/planted.ts': '#console/users/read.ts' },
  'console-does-not-import-gateway': {
    'server/src/console/users/planted-gate.ts': '#gateway/snapshot/snapshot.ts',
  },
  'the-shipper-is-a-process-of-its-own': {
    'server/src/gateway/planted-shipper.ts': '#shipper/shipper.ts',
    'server/src/console/users/planted-shipper.ts': '#shipper/shipper.ts',
  },
  'a-noun-keeps-its-store': { 'server/src/console/users/planted-store.ts': '#console/teams/store.ts' },
  'only-http-knows-the-web-framework': {
    'server/src/platform/planted.ts': 'fastify',
    'server/src/console/users/planted-plugin.ts': '@fastify/static',
  },
  'only-programs-see-everything': {
    'server/src/http/planted.ts': '#worker/app.ts',
    'server/src/cli/planted-start.ts': '#product/start-product.ts',
  },
  'system-database-is-for-few': { 'server/src/console/users/planted-system.ts': '#db/system.ts' },
  'features-of-level-1-import-lower-features': {
    'web/src/features/roles/planted.ts': '#features/outbox/index.ts',
    'web/src/features/roles/planted-upwards.ts': '#features/users/index.ts',
  },
  'features-of-level-2-import-lower-features': {
    'web/src/features/invitations/planted.ts': '#features/users/index.ts',
    'web/src/features/invitations/planted-inner.ts': '#features/roles/field.tsx',
  },
  'features-of-level-3-import-lower-features': {
    'web/src/features/users/planted.ts': '#features/tasks/screen.tsx',
    'web/src/features/users/planted-inner.ts': '#features/roles/field.tsx',
  },
  'screens-import-lower-features': {
    'web/src/features/planted-one/one.ts': '../planted-two/two.ts',
    'web/src/features/planted-one/inner.ts': '#features/users/queries.ts',
    'web/src/features/tasks/planted.ts': '#features/planted-two/two.ts',
  },
  'programs-are-not-imported': { 'server/src/cli/planted-program.ts': './main.ts' },
  'no-cycles': { 'server/src/platform/planted-egg.ts': './planted-hen.ts' },
  'no-unresolved': { 'server/src/platform/planted-gap.ts': './there-is-no-such-file.ts' },
};

/** Files to create for each rule in folders that import each other, which the rule reports. */
const roomPlants: typeof plants = {
  'no-cycles-of-folders': {
    'server/src/platform/planted-left/one.ts': '../planted-right/two.ts',
    'server/src/platform/planted-right/two.ts': '../planted-left/three.ts',
  },
};

/** Imports of the created files, and one that a rule allows as an exception. */
const innocent = {
  'web/src/features/planted-two/two.ts': '@sluice/contract',
  'server/src/platform/planted-hen.ts': './planted-egg.ts',
  'server/src/platform/planted-left/three.ts': '@sluice/contract',
  'server/src/console/users/planted-exception.ts': '#gateway/gateway.ts',
};

const forbidden = [
  ...listPlants(plants).map((plant) => ({ ...plant, place: plant.file })),
  ...listPlants(roomPlants).map((plant) => ({ ...plant, place: dirname(plant.file) })),
];

function listPlants(some: typeof plants) {
  return Object.entries(some).flatMap(([rule, files]) =>
    Object.entries(files).map(([file, target]) => ({ rule, file, target })),
  );
}

let copy: string;
let hasFailed: boolean;
let violations: string[];

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'sluice-layers-'));
  copyHouse();
  plant([...Object.values(roomPlants), innocent]);
  // These files are checked first, since some of the other created files also create cycles between folders.
  const judged = [await judge(folderConfig, [...Object.values(roomPlants), innocent])];
  plant(Object.values(plants));
  judged.push(await judge(layers, [...Object.values(plants), innocent]));
  hasFailed = judged.every(({ error }) => error !== null);
  violations = judged.flatMap(({ output }) =>
    Array.from(output.matchAll(/^ *error ([\w-]+: \S+) →/gm), ([, violation = '']) => violation),
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

/** Links workspace packages to the copies. */
function copyHouse(): void {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listing.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
  for (const file of files) cpSync(join(root, file), join(copy, file), { recursive: true });
  mkdirSync(join(copy, 'node_modules', '@sluice'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@sluice') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(root, 'node_modules', '@sluice'))) {
    symlinkSync(join(copy, name), join(copy, 'node_modules', '@sluice', name));
  }
}

function plant(imports: readonly Readonly<Record<string, string>>[]): void {
  for (const [file, target] of imports.flatMap((files) => Object.entries(files))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), `import '${target}';\n`);
  }
}

/** Checks the created files and their imports. The checks before each commit cover all other files. */
function judge(config: string, planted: Parameters<typeof plant>[0]) {
  const { promise, resolve } = Promise.withResolvers<{ error: Error | null; output: string }>();
  const depcruise = join(root, 'node_modules', '.bin', 'depcruise');
  const options = { cwd: copy, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 16 * 1024 * 1024 };
  const files = planted.flatMap((imports) => Object.keys(imports));
  const args = ['--config', config, '--max-depth', '2', ...files];
  execFile(depcruise, args, options, (error, output) => resolve({ error, output }));
  return promise;
}

describe('dependency rules', () => {
  it.each(forbidden)('the dependency rule $rule forbids $file to import $target', ({ rule, place }) => {
    expect(violations).toContain(`${rule}: ${place}`);
  });

  it('dependency rules report the planted imports and nothing else', () => {
    expect(hasFailed).toBe(true);
    expect(violations.toSorted()).toEqual(forbidden.map(({ rule, place }) => `${rule}: ${place}`).sort());
  });

  it('every dependency rule has an import that violates it in this check', () => {
    expect(Object.keys({ ...plants, ...roomPlants }).sort()).toEqual(rules.map(({ name }) => name).sort());
  });
});
