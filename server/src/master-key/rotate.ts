import { setTimeout as pause } from 'node:timers/promises';
import type { SystemDatabase } from '#db/system.ts';
import { createKeyring, isSameSecret } from '#platform/keyring.ts';
import { type Resealed, resealAll } from './reseal.ts';
import { changeInstalledSecret, countHolders, findInstalledSecret } from './store.ts';
import { WrongSecretError } from './wrong-secret-error.ts';

export interface RotateOptions {
  readonly database: SystemDatabase;
  readonly secret: string;
  /** Previous master keys, newest first, including those of earlier rotations that did not finish. */
  readonly formerSecrets: readonly string[];
  readonly note: (text: string) => void;
}

export interface Rotation extends Resealed {
  readonly formerSecretUntil: Date;
}

/**
 * Time for which the previous master key is required. Sessions and stored responses of idempotency keys expire
 * sooner.
 */
const formerSecretMs = 24 * 60 * 60 * 1000;
const [pollMs, pollsMax] = [1_000, 90];

/**
 * Sets the new secret as the current one, waits until all workers use it, and re-encrypts all values. Can be repeated
 * after an interruption.
 * @throws Error if a worker does not have the new secret
 */
export async function rotateMasterKey({
  database,
  secret,
  formerSecrets,
  note,
}: RotateOptions): Promise<Rotation> {
  const own = createKeyring(secret).secretCheck;
  const { lacking, all } = await countHolders(database, own);
  if (lacking > 0) {
    throw new Error(
      `${lacking} of ${all} workers do not have the new secret, so nothing was changed. Restart every node with SLUICE_SECRET set to the new secret and SLUICE_FORMER_SECRET set to the previous one, and run this command again after 30 seconds.`,
    );
  }
  const keyring = await database.transaction(async (tx) => {
    const installed = await findInstalledSecret(tx);
    if (!installed) throw new Error('The database is new: there is nothing to rotate.');
    const both = createKeyring(secret, { formerSecrets, installed });
    if (!both.secretChecks.some((check) => isSameSecret(check, installed.secretCheck)))
      throw new WrongSecretError();
    both.follow(own);
    await changeInstalledSecret(tx, { secretCheck: own, sealedHashKeys: both.sealHashKeys() });
    return both;
  });
  note(`The new secret is in use. ${all} workers switch to it.`);
  await waitForHolders(database, own);
  const { changed, broken } = await resealAll(database, keyring.sealingKey);
  note(`${changed} secrets were encrypted again.`);
  return { changed, broken, formerSecretUntil: new Date(Date.now() + formerSecretMs) };
}

async function waitForHolders(database: SystemDatabase, secretCheck: Buffer): Promise<void> {
  for (let poll = 0; poll < pollsMax; poll += 1) {
    if ((await countHolders(database, secretCheck)).waiting === 0) return;
    await pause(pollMs);
  }
  throw new Error(
    'Some workers still use the previous secret. Check why their nodes cannot reach the database, and run this command again.',
  );
}
