import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createSystemDatabase } from '#db/system.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { addTenant } from '../console/console.ts';
import { fastStart, runCommand, untilProgress } from '../processes/run-command.ts';

export interface RotationOptions {
  readonly pool: pg.Pool;
  readonly connectionString: string;
  readonly kills: number;
  readonly instances: number;
  /** Returns numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

export interface RotationFigures {
  kills: number;
  /** Number of kills after the new secret was in use and before everything was encrypted again. */
  killsMidway: number;
  /** Number of rotations that started before the previous rotation had finished. */
  overtaken: number;
  finished: number;
  unreadable: number;
  forgottenKeys: number;
}

const program = join(import.meta.dirname, '../../src/cli/main.ts');
const apiKey = 'slc_a_key_that_was_made_before';
const [killsOfARotation, rotationsUntilEnd] = [3, 3];

/**
 * Kills the command at random moments. After a kill, the rotation is repeated, or replaced by a rotation to another
 * secret.
 */
export async function killRotations(options: RotationOptions): Promise<RotationFigures> {
  const { pool, kills, instances } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-rotation-'));
  const secrets = [secretOf(0)];
  const figures: RotationFigures = {
    kills: 0,
    killsMidway: 0,
    overtaken: 0,
    finished: 0,
    unreadable: 0,
    forgottenKeys: 0,
  };
  const hash = createKeyring(secretOf(0)).hashApiKey(apiKey);
  const env = () => ({
    DATABASE_URL: options.connectionString,
    SLUICE_SECRET: secrets[0] ?? '',
    SLUICE_FORMER_SECRET: secrets.slice(1).join(','),
    SLUICE_DATA_DIR: dataDir,
  });
  const look = async () => {
    const { unreadable, knows } = await readAll(pool, secrets, hash);
    figures.unreadable += unreadable;
    if (!knows) figures.forgottenKeys += 1;
  };
  const finish = async () => {
    const { code, stderr } = await runCommand(['rotate-key'], env());
    if (code !== 0) throw new Error(`rotate-key exited with ${code}: ${stderr}`);
    secrets.splice(1);
    figures.finished += 1;
    await look();
  };
  try {
    await addSealedKeys(pool, instances);
    for (let rotation = 1; figures.kills < kills; rotation += 1) {
      if (secrets.length > 1) figures.overtaken += 1;
      secrets.unshift(secretOf(rotation));
      for (let count = 0; count < killsOfARotation && figures.kills < kills; count += 1) {
        if (await killOnce(env(), options.random)) figures.killsMidway += 1;
        figures.kills += 1;
        await look();
      }
      if (rotation % rotationsUntilEnd === 0) await finish();
    }
    if (secrets.length > 1) await finish();
    return figures;
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

const secretOf = (number: number) => `the secret number ${number} of this installation`;

async function addSealedKeys(pool: pg.Pool, instances: number): Promise<void> {
  const keyring = createKeyring(secretOf(0));
  await pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [keyring.secretCheck]);
  const tenantId = await addTenant(pool, 'Rotated');
  await pool.query(
    "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('rotated', 'Rotated', 'x')",
  );
  for (let count = 0; count < instances; count += 1) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name)
       SELECT $1, id, $2 FROM provider_registry WHERE provider_key = 'rotated' RETURNING id`,
      [tenantId, `instance ${count}`],
    );
    const id = rows[0]?.id ?? 0;
    const sealed = sealSecret(keyring.sealingKey, providerKeyPlace(tenantId, id), `key of ${id}`);
    await pool.query('UPDATE llm_providers SET sealed_api_key = $1 WHERE id = $2', [sealed, id]);
  }
}

/** Returns `true` if the command was killed after the secret had changed and before the rotation had finished. */
async function killOnce(env: Record<string, string>, random: () => number): Promise<boolean> {
  const child = spawn(process.execPath, [program, 'rotate-key'], {
    env: { PATH: process.env.PATH, ...fastStart, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  // Most kills occur during the encryption with the new secret, which is the shorter part.
  const changed = onceChanged(child);
  const isAfterChange = random() < 0.7;
  if (isAfterChange) await Promise.race([changed, exited]);
  await Promise.race([pause(random() * (isAfterChange ? 300 : 2_500)), exited]);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL' && child.stderr !== null && (await Promise.race([changed, pause(0, false)]));
}

function onceChanged(child: ChildProcess): Promise<true> {
  const { promise, resolve } = Promise.withResolvers<true>();
  if (child.stderr)
    untilProgress(child.stderr).then(
      () => resolve(true),
      () => undefined,
    );
  return promise;
}

async function readAll(pool: pg.Pool, [secret = '', ...formerSecrets]: readonly string[], hash: Buffer) {
  const installed = await findInstalledSecret(createSystemDatabase(pool));
  const keyring = createKeyring(secret, { formerSecrets, installed });
  const { rows } = await pool.query<{ id: number; tenant_id: number; sealed_api_key: Buffer }>(
    'SELECT id, tenant_id, sealed_api_key FROM llm_providers',
  );
  const opens = ({ id, tenant_id, sealed_api_key }: (typeof rows)[number]) => {
    try {
      return (
        openSecret(keyring.sealingKey, providerKeyPlace(tenant_id, id), sealed_api_key) === `key of ${id}`
      );
    } catch {
      return false;
    }
  };
  return {
    unreadable: rows.filter((row) => !opens(row)).length,
    knows: keyring.hashApiKey(apiKey).equals(hash),
  };
}
