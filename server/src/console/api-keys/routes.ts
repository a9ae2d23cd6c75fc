import type { apiKeysRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import type { Keyring } from '#platform/keyring.ts';
import { getApiKeyStatus } from './get-status.ts';
import { createUserApiKey, regenerateOwnApiKey, regenerateUserApiKey } from './issue.ts';
import { endApiKeyOverlap, revokeUserApiKey } from './revoke.ts';

export function createApiKeysHandlers({
  keyring,
}: {
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
}): Handlers<typeof apiKeysRoutes> {
  return {
    getUserApiKey: read(getApiKeyStatus, ({ params }) => params.id),
    createUserApiKey: write(createUserApiKey.bind(null, keyring), ({ params, body }) => ({
      userId: params.id,
      key: body,
    })),
    regenerateUserApiKey: write(regenerateUserApiKey.bind(null, keyring), ({ params, body }) => ({
      userId: params.id,
      choice: body,
    })),
    regenerateOwnApiKey: write(regenerateOwnApiKey.bind(null, keyring), ({ body }) => body.overlap_hours),
    endApiKeyOverlap: write(endApiKeyOverlap, ({ params }) => params.id),
    revokeUserApiKey: write(revokeUserApiKey, ({ params }) => params.id),
  };
}
