import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { findFreePort } from '#test/processes/free-port.ts';
import { callCommand } from '#test/processes/run-command.ts';
import { type Command, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { formatInstallation, requireNamedInstallation } from './installation.ts';

const atOnce = 4;
const emptyDatabase = `sluice_cli_empty_${process.pid}`;
let folder: string;
let newer: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'every-command-'));
  newer = await createTestDatabase();
  await newer.pool.query("INSERT INTO schema_migrations (name, checksum) VALUES ('9999-later.sql', 'x')");
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${emptyDatabase}`);
  mkdirSync(join(folder, 'empty'), { mode: 0o700 });
  writeFileSync(join(folder, 'file'), '');
  writeFileSync(join(folder, 'store-url'), 'http://sluice:secret@127.0.0.1:8123/log', { mode: 0o600 });
});
afterAll(async () => {
  await newer.close();
  await dropDatabase(inject('clusterUrl'), emptyDatabase);
  rmSync(folder, { recursive: true });
});

const installed = commands.filter(({ isLocal }) => !isLocal);
const values: Readonly<Record<string, string>> = {
  EMAIL: 'ada@one.test',
  ID: '1',
  DOLLARS: '5',
  VENDOR: 'custom',
};
const neededOptions: Readonly<Record<string, readonly string[]>> = {
  'providers create': ['--models', 'm', '--no-key'],
  'logs tail': ['--no-follow'],
  'logs move': ['--to', 'clickhouse'],
  apply: ['--file', join(import.meta.dirname, 'empty-configuration.yaml')],
};
const files: Readonly<Record<string, readonly [option: string, name: string]>> = {
  'import litellm': ['--config', 'file'],
  'import one-api': ['--database', 'file'],
  'logs move': ['--store-file', 'store-url'],
  shadow: ['--against', 'file'],
};
const fileOf = ({ name }: Command) => {
  const [option, file] = files[name] ?? [];
  return option === undefined || file === undefined ? [] : [option, join(folder, file)];
};
const operandsOf = ({ operands = [] }: Command) =>
  operands.filter((name) => !name.startsWith('[')).map((name) => values[name] ?? join(folder, name));
const callOf = (command: Command) => [
  ...command.name.split(' '),
  ...operandsOf(command),
  ...(neededOptions[command.name] ?? []),
  ...fileOf(command),
];

async function runAll(
  selected: readonly Command[],
  env: Record<string, string>,
  argsOf: (command: Command) => readonly string[] = callOf,
) {
  const waiting = [...selected];
  const answers = new Map<string, Awaited<ReturnType<typeof callCommand>>>();
  const work = async () => {
    for (let command = waiting.shift(); command; command = waiting.shift())
      answers.set(command.name, await callCommand(argsOf(command), env, 'a first horse\n'));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

const withFolder = (dataDir: string) => ({
  SLUICE_DATA_DIR: dataDir,
  SLUICE_SECRET: testSecret,
  SLUICE_FORMER_SECRET: 'f'.repeat(40),
  PORT: '0',
});
const withDatabase = (url: string) => ({ ...withFolder(join(folder, 'never')), DATABASE_URL: url });
const usableWithoutTables = new Set(['doctor', 'restore', 'setup']);

describe('every command', () => {
  it('every server command explains with --help how to call it under systemd, compose and Kubernetes', async () => {
    const ofServer = commands.filter(({ isLocal }) => !isLocal);
    const answers = await runAll(ofServer, {}, ({ name }) => [...name.split(' '), '--help']);
    for (const [name, { code, stdout, stderr }] of answers) {
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: npx sluice ${name}`);
      for (const call of ['systemd-run', 'docker compose', 'kubectl exec'])
        expect(stdout).toMatch(new RegExp(`${call}[\\s\\S]* ${name}`));
    }
  });

  it('every command rejects an unknown option with exit code 2 and shows its help', async () => {
    const answers = await runAll(commands, {}, ({ name }) => [...name.split(' '), '--no-such-option']);
    for (const [name, { code, stderr }] of answers) {
      expect({ name, code }).toEqual({ name, code: 2 });
      expect(stderr).toContain("Unknown option '--no-such-option'");
      expect(stderr).toContain(`Usage: npx sluice ${name}`);
    }
  });

  it('every server command reports an unreachable database with the cause and the fix', async () => {
    const port = await findFreePort();
    const answers = await runAll(installed, withDatabase(`postgresql://sluice@127.0.0.1:${port}/sluice`));
    for (const [name, { code, stdout, stderr }] of answers) {
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stderr).toMatch(`On the database "sluice" at 127.0.0.1:${port}\n`);
      expect(stdout + stderr).toContain(
        `The database cannot be used: the connection to 127.0.0.1:${port} was refused. Start PostgreSQL, or correct the host and port in DATABASE_URL.`,
      );
    }
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  it('every server command reports a database that does not exist, and does not create it', async () => {
    const url = databaseUrl(inject('clusterUrl'), 'no_such_database');
    for (const [name, { code, stdout, stderr }] of await runAll(installed, withDatabase(url))) {
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stdout + stderr).toContain(
        'there is no database "no_such_database". Create it: CREATE DATABASE',
      );
    }
    const { rows } = await newer.pool.query("SELECT FROM pg_database WHERE datname = 'no_such_database'");
    expect(rows).toEqual([]);
  });

  it('every server command except doctor, restore and setup rejects a database without tables, and creates none', async () => {
    const url = databaseUrl(inject('clusterUrl'), emptyDatabase);
    const selected = installed.filter(({ name }) => !usableWithoutTables.has(name));
    for (const [name, { code, stderr }] of await runAll(selected, withDatabase(url))) {
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stderr).toMatch(
        /Run `npx sluice setup`, or start Sluice once|has never been started on this database/,
      );
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
  });

  it('every server command except backup and restore rejects a database that a newer version has migrated', async () => {
    const selected = installed.filter(({ name }) => name !== 'backup' && name !== 'restore');
    for (const [name, { code, stdout, stderr }] of await runAll(
      selected,
      withDatabase(newer.connectionString),
    )) {
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stdout + stderr).toContain('9999-later.sql');
    }
  });

  it.each([
    ['that does not exist', () => join(folder, 'absent'), 'it does not exist'],
    ['without a database', () => join(folder, 'empty'), 'contains no database'],
    ['that is a file', () => join(folder, 'file'), 'a file or a device'],
  ])(
    'every server command except restore rejects a data folder %s, and creates nothing',
    async (_, findDir, words) => {
      const dataDir = findDir();
      const selected = installed.filter(({ name }) => name !== 'restore');
      for (const [name, { code, stdout, stderr }] of await runAll(selected, withFolder(dataDir))) {
        expect({ name, code }).toEqual({ name, code: 1 });
        expect(stderr).toContain(`On the data folder ${dataDir}\n`);
        expect(stdout + stderr).toContain(words);
      }
      expect(existsSync(join(folder, 'absent'))).toBe(false);
      expect(existsSync(join(folder, 'empty', 'postgres'))).toBe(false);
    },
  );
});

const numeric = /^(ID|DOLLARS|N)$/;
const numericArguments = commands.flatMap(({ name, operands = [], options = {} }) => [
  ...operands.filter((operand) => numeric.test(operand)).map((operand) => [name, operand]),
  ...Object.entries(options).flatMap(([option, { value = '' }]) =>
    numeric.test(value) ? [[name, option]] : [],
  ),
]);
const foreignNotations = '0x1 0X1 0b1 0o1 1e0 1E+1 +1 01 1. .1 1n 1_0 1,000 \uff11 \u0661 Infinity NaN'
  .split(' ')
  .concat(' 1', '1 ', '');

it.each(numericArguments)('%s accepts %s in decimal notation only', async (name, argument) => {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  const operands = Object.fromEntries(
    (command.operands ?? []).map((operand) => [operand, values[operand] ?? 'a']),
  );
  for (const text of foreignNotations) {
    // safe because the command must reject its arguments before it opens an installation
    const config = {} as Parameters<typeof command.run>[0]['config'];
    const call = {
      config,
      env: {},
      input: Readable.from([]),
      operands,
      options: {},
      isJson: true,
      note: () => undefined,
      line: () => undefined,
    };
    const given =
      argument in operands
        ? { operands: { ...operands, [argument]: text } }
        : { options: { [argument]: text } };
    await expect(command.run({ ...call, ...given }), `"${text}"`).rejects.toBeInstanceOf(UsageError);
  }
});

describe('requireNamedInstallation', () => {
  const surroundings = () => {
    const root = mkdtempSync(join(folder, 'surroundings-'));
    const addProcess = (pid: number, variables: readonly string[]) => {
      mkdirSync(join(root, String(pid)));
      writeFileSync(
        join(root, String(pid), 'cmdline'),
        '/usr/bin/node\0/opt/sluice/server/src/product/main.ts\0',
      );
      writeFileSync(join(root, String(pid), 'environ'), variables.join('\0'));
    };
    return { root, addProcess, at: { unitFiles: [join(root, 'sluice.service')], processesDir: root } };
  };
  const unnamed = { dataDir: '/srv/data', isInstallationNamed: false };

  it('requireNamedInstallation accepts the default folder if there is no other installation', () => {
    const { addProcess, at } = surroundings();
    addProcess(7, ['SLUICE_DATA_DIR=/srv/data']);
    expect(() => requireNamedInstallation(unnamed, at)).not.toThrow();
  });

  it.each([
    [
      'a service unit',
      ({ root }: ReturnType<typeof surroundings>) => writeFileSync(join(root, 'sluice.service'), ''),
      'the service unit',
    ],
    [
      'a process with another data folder',
      ({ addProcess }: ReturnType<typeof surroundings>) => addProcess(8, ['SLUICE_DATA_DIR=/var/lib/sluice']),
      'process 8 (data folder /var/lib/sluice)',
    ],
    [
      'a process with a database',
      ({ addProcess }: ReturnType<typeof surroundings>) => addProcess(9, ['DATABASE_URL=postgresql://a/b']),
      'process 9 (with a separate database)',
    ],
  ])('requireNamedInstallation throws without variables if there is %s', (_, add, words) => {
    const around = surroundings();
    add(around);
    expect(() => requireNamedInstallation(unnamed, around.at)).toThrow(words);
    expect(() => requireNamedInstallation(unnamed, around.at)).toThrow(
      'Select one by setting SLUICE_DATA_DIR or DATABASE_URL',
    );
    expect(() =>
      requireNamedInstallation({ ...unnamed, isInstallationNamed: true }, around.at),
    ).not.toThrow();
  });

  it('formatInstallation never shows the password of a database', () => {
    const url = 'postgresql://sluice:secret@one:1,two:2/gate?target_session_attrs=primary';
    expect(formatInstallation({ database: { url, directUrl: url }, dataDir: '/x' })).toBe(
      'database "gate" at one:1, two:2',
    );
  });
});

it.each(['/nowhere/store-url', '/dev/null', '/'])('logs move rejects %s as a store file', async (path) => {
  const command = commands.find(({ name }) => name === 'logs move');
  // safe because the command must reject the file before it opens an installation
  const config = { logStoreUrl: null } as Parameters<Command['run']>[0]['config'];
  const options = { to: 'clickhouse', 'store-file': path };
  const call = { config, env: {}, input: Readable.from([]), operands: {}, options, isJson: true };
  const run = command?.run({ ...call, note: () => undefined, line: () => undefined });
  await expect(run).rejects.toThrow(path);
  await expect(run).rejects.toBeInstanceOf(UsageError);
});
