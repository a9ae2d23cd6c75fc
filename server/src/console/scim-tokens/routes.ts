import type { scimTokensRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  createScimToken,
  listScimTokens,
  revokeScimToken,
  rotateScimToken,
  updateScimToken,
} from './tokens.ts';

export function createScimTokensHandlers({
  keyring,
  publicUrl,
}: {
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
  readonly publicUrl: string;
}): Handlers<typeof scimTokensRoutes> {
  return {
    listScimTokens: read(listScimTokens.bind(null, publicUrl)),
    createScimToken: write(createScimToken.bind(null, keyring), ({ body }) => body),
    updateScimToken: write(updateScimToken, ({ params, body }) => ({ tokenId: params.id, body })),
    rotateScimToken: write(rotateScimToken.bind(null, keyring), ({ params, body }) => ({
      tokenId: params.id,
      body,
    })),
    revokeScimToken: write(revokeScimToken, ({ params }) => params.id),
  };
}
