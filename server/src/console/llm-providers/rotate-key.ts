import type { LlmProvider, RoleName, rotateLlmProviderKeyBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  formerProviderKeyPlace,
  openSecret,
  providerKeyPlace,
  SealBrokenError,
  type SealingKey,
  sealSecret,
} from '#platform/seal-secret.ts';
import { changeProvider } from './change-provider.ts';
import { findSealedApiKey, type ProviderRow } from './store.ts';

export interface RotateKeyDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

export const noFormerKey = { sealedFormerApiKey: null, formerApiKeyExpiresAt: null };

const hourMs = 3_600_000;

/** The previous key is used as a fallback during the overlap period, and any older key is erased. */
export function rotateLlmProviderKey(
  { keyring: { sealingKey } }: RotateKeyDeps,
  tx: TenantTransaction,
  author: Author,
  { id, body }: { readonly id: number; readonly body: z.output<typeof rotateLlmProviderKeyBody> },
): Promise<LlmProvider> {
  const { api_key, overlap_hours } = body;
  const { tenantId, role } = author;
  return changeProvider(tx, author, id, async (row) => {
    requireKeyRight(row, role);
    const sealed = await findSealedApiKey(tx, tenantId, id);
    const former = sealed && overlap_hours > 0 ? reseal(sealingKey, tenantId, id, sealed) : null;
    return {
      sealedApiKey: sealSecret(sealingKey, providerKeyPlace(tenantId, id), api_key),
      ...(former
        ? { sealedFormerApiKey: former, formerApiKeyExpiresAt: new Date(Date.now() + overlap_hours * hourMs) }
        : noFormerKey),
    };
  });
}

export function endKeyOverlap(tx: TenantTransaction, author: Author, id: number): Promise<LlmProvider> {
  return changeProvider(tx, author, id, (row) => {
    requireKeyRight(row, author.role);
    return noFormerKey;
  });
}

/** @throws ConsoleError 403 if a tenant administrator changes the operator's key */
export function requireKeyRight({ isServiceManaged }: ProviderRow, role: RoleName): void {
  if (isServiceManaged && role !== 'super_admin')
    throw new ConsoleError(
      403,
      'Only a super administrator may change the key of a service-managed provider',
    );
}

/**
 * Encrypts a key again for another column. Returns `null` if the key cannot be decrypted, because it is then useless
 * as a fallback.
 */
function reseal(sealingKey: SealingKey, tenantId: number, id: number, sealed: Buffer): Buffer | null {
  try {
    const apiKey = openSecret(sealingKey, providerKeyPlace(tenantId, id), sealed);
    return sealSecret(sealingKey, formerProviderKeyPlace(tenantId, id), apiKey);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
