import type { managementTokensRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  createManagementToken,
  listManagementTokens,
  listOwnManagementTokens,
  revokeManagementToken,
  revokeOwnManagementToken,
} from './tokens.ts';

export function createManagementTokensHandlers({
  keyring,
}: {
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
}): Handlers<typeof managementTokensRoutes> {
  return {
    listOwnManagementTokens: read(listOwnManagementTokens),
    createOwnManagementToken: write(createManagementToken.bind(null, keyring), ({ body }) => body),
    revokeOwnManagementToken: write(revokeOwnManagementToken, ({ params }) => params.id),
    listManagementTokens: read(listManagementTokens, ({ query }) => query),
    createManagementToken: write(createManagementToken.bind(null, keyring), ({ body }) => body),
    revokeManagementToken: write(revokeManagementToken, ({ params }) => params.id),
  };
}
