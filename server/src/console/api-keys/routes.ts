import type { apiKeysRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { getApiKeyStatus } from './get-status.ts';
import { createApiKey, regenerateApiKey } from './issue.ts';
import { endApiKeyOverlap, revokeApiKey } from './revoke.ts';

export function createApiKeysHandlers({
  keyring,
}: {
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
}): Handlers<typeof apiKeysRoutes> {
  return {
    getUserApiKey: (ctx, { params }) => getApiKeyStatus(ctx, params.id),
    createUserApiKey: (ctx, { params, body }) => createApiKey(keyring, ctx, params.id, body),
    regenerateUserApiKey: (ctx, { params, body }) => regenerateApiKey(keyring, ctx, params.id, body),
    endApiKeyOverlap: (ctx, { params }) => endApiKeyOverlap(ctx, params.id),
    revokeUserApiKey: (ctx, { params }) => revokeApiKey(ctx, params.id),
  };
}
