import { holdLock } from '#console/advisory-lock.ts';
import { issueApiKey, primaryKeyName } from '#console/api-keys/issue.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { addFirstAdministrator, addTenant } from '#console/tenants/add-tenant.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isCommonPassword } from '#domain/common-password.ts';
import { WrongSecretError } from '#master-key/wrong-secret-error.ts';
import { isSameSecret, type Keyring } from '#platform/keyring.ts';
import { generatePassword, type PasswordHasher } from '#platform/password.ts';
import { findSecretCheck, insertInstallation, markFirstKey } from './store.ts';

/** Thrown when the first administrator's password is too common. `message` contains the fix. */
export class CommonPasswordError extends Error {
  override readonly name = 'CommonPasswordError';

  constructor() {
    super(
      'SLUICE_ADMIN_PASSWORD is one of the most common passwords. Choose another one, or unset it to have one generated and shown once.',
    );
  }
}

export interface FirstSetupOptions {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'secretCheck' | 'secretChecks' | 'hashApiKey'>;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly adminEmail: string;
  /** Generated if absent. */
  readonly adminPassword?: string | null;
  readonly hasSandbox: boolean;
}

/**
 * Lifetime of the first key. Must be short: the key is printed to a terminal or log and is only meant for the first
 * request.
 */
const firstKeyLifetimeMs = 24 * 60 * 60 * 1000;

/** Credentials of the first run, which are displayed only once. */
export interface FirstSetup {
  email: string;
  password: string;
  /** Expires after a day or when another API key of the installation is used for the first time. */
  apiKey: string;
}

/**
 * Creates the tenant Default, its administrator with an API key, and the sandbox. Returns `null` if they already
 * exist.
 * @throws WrongSecretError if the database was set up with another secret
 * @throws CommonPasswordError if the administrator's password is too common
 */
export function runFirstSetup(options: FirstSetupOptions): Promise<FirstSetup | null> {
  const { database, keyring, adminEmail: email } = options;
  return database.transaction(async (tx) => {
    await holdLock(tx, 'firstRun', 0);
    const secretCheck = await findSecretCheck(tx);
    if (secretCheck) {
      if (!keyring.secretChecks.some((check) => isSameSecret(check, secretCheck)))
        throw new WrongSecretError();
      return null;
    }
    await insertInstallation(tx, keyring.secretCheck);
    if (options.hasSandbox) await syncRegistry(tx);
    const tenantId = await addTenant(tx, { name: 'Default', hasSandbox: options.hasSandbox });
    const password = options.adminPassword ?? generatePassword();
    if (isCommonPassword(password)) throw new CommonPasswordError();
    const passwordHash = await options.passwords.hash(password);
    const name = 'Administrator';
    const administrator = { role: 'super_admin', email, name, passwordHash } as const;
    const userId = await addFirstAdministrator(tx, tenantId, administrator);
    const expiresAt = new Date(Date.now() + firstKeyLifetimeMs);
    const apiKey = await issueApiKey(
      keyring,
      tx,
      { tenantId, userId, keyName: primaryKeyName(name), expiresAt },
      null,
    );
    await markFirstKey(tx, userId);
    return { email, password, apiKey };
  });
}
