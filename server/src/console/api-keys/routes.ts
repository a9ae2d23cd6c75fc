import type { apiKeysRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { getApiKeyStatus } from './get-status.ts';
import { createUserApiKey, regenerateOwnApiKey, regenerateUserApiKey } from './issue.ts';
import {
  createApiKey,
  type KeysKeyring,
  listApiKeysOfTenant,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from './named-keys.ts';
import {
  createOwnApiKey,
  listUserApiKeys,
  revokeOwnApiKey,
  rotateOwnApiKey,
  updateOwnApiKey,
} from './own-keys.ts';
import { endApiKeyOverlap, revokeUserApiKey } from './revoke.ts';
import { createTaskKey } from './task-keys.ts';

export function createApiKeysHandlers({
  keyring,
}: {
  readonly keyring: KeysKeyring;
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
    regenerateOwnApiKey: write(regenerateOwnApiKey.bind(null, keyring), ({ body }) => body.overlap_seconds),
    endApiKeyOverlap: write(endApiKeyOverlap, ({ params }) => params.id),
    revokeUserApiKey: write(revokeUserApiKey, ({ params }) => params.id),
    listApiKeys: read(listApiKeysOfTenant, ({ query }) => query),
    createApiKey: write(createApiKey.bind(null, keyring), ({ body }) => body),
    updateApiKey: write(updateApiKey.bind(null, keyring), ({ params: { id }, body }) => ({ id, body })),
    rotateApiKey: write(rotateApiKey.bind(null, keyring), ({ params: { id }, body: rotation }) => ({
      id,
      rotation,
    })),
    revokeApiKey: write(revokeApiKey, ({ params }) => params.id),
    listUserApiKeys: read(listUserApiKeys),
    createOwnApiKey: write(createOwnApiKey.bind(null, keyring), ({ body }) => body),
    updateOwnApiKey: write(updateOwnApiKey.bind(null, keyring), ({ params: { id }, body }) => ({
      id,
      body,
    })),
    rotateOwnApiKey: write(rotateOwnApiKey.bind(null, keyring), ({ params: { id }, body: rotation }) => ({
      id,
      rotation,
    })),
    createTaskKey: write(createTaskKey.bind(null, keyring), ({ params, body }) => ({
      assignmentId: params.id,
      body,
    })),
    revokeOwnApiKey: write(revokeOwnApiKey, ({ params }) => params.id),
  };
}
