import type { LlmProvider, RoleName, rotateLlmProviderKeyBody } from '@sluice/contract';
import type { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
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

/** What a row has whose former key is erased. */
export const noFormerKey = { sealedFormerApiKey: null, formerApiKeyExpiresAt: null };

const hourMs = 3_600_000;

/** Gives an instance a new key. The one before it stands in while they overlap; one older than that is erased at once. */
export function rotateLlmProviderKey(
  { keyring: { sealingKey } }: RotateKeyDeps,
  ctx: SignedInContext,
  id: number,
  { api_key, overlap_hours }: z.output<typeof rotateLlmProviderKeyBody>,
): Promise<LlmProvider> {
  const { tenantId, role } = ctx.principal;
  return changeProvider(ctx, id, async (row, tx) => {
    requireKeyRight(row, role);
    const sealed = await findSealedApiKey(tx, tenantId, id);
    const former = sealed && overlap_hours > 0 ? reseal(sealingKey, tenantId, id, sealed) : null;
    return {
      sealedApiKey: sealSecret(sealingKey, providerKeyPlace(tenantId, id), api_key),
      ...(former
        ? {
            sealedFormerApiKey: former,
            formerApiKeyExpiresAt: new Date(Date.now() + overlap_hours * hourMs),
          }
        : noFormerKey),
    };
  });
}

/** Erases the former key at once. */
export function endKeyOverlap(ctx: SignedInContext, id: number): Promise<LlmProvider> {
  return changeProvider(ctx, id, (row) => {
    requireKeyRight(row, ctx.principal.role);
    return noFormerKey;
  });
}

/** @throws ConsoleError 403 for an administrator of a tenant and the operator's key. */
export function requireKeyRight({ isServiceManaged }: ProviderRow, role: RoleName): void {
  if (isServiceManaged && role !== 'super_admin')
    throw new ConsoleError(
      403,
      'Only a super administrator may change the key of a service-managed provider',
    );
}

/** For its new place; `null` for a key that does not open, which could not stand in either. */
function reseal(sealingKey: SealingKey, tenantId: number, id: number, sealed: Buffer): Buffer | null {
  try {
    const apiKey = openSecret(sealingKey, providerKeyPlace(tenantId, id), sealed);
    return sealSecret(sealingKey, formerProviderKeyPlace(tenantId, id), apiKey);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
