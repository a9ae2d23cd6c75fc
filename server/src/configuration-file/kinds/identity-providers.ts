import { createIdentityProviderBody, foldName, updateIdentityProviderBody } from '@sluice/contract';
import { z } from 'zod';
import {
  createIdentityProvider,
  deleteIdentityProvider,
  toIdentityProviderSettings,
  updateIdentityProvider,
} from '#console/identity-providers/change.ts';
import { clientSecretPlace, openSecret } from '#platform/seal-secret.ts';
import { secretReference } from '../secrets.ts';
import { selectIdentityProviders } from '../store.ts';
import { type Kind, type Reference, text } from './kind.ts';

export const identityProvider: Kind = {
  name: 'identity_provider',
  collection: 'identity_providers',
  schema: z.strictObject({
    ...updateIdentityProviderBody.shape,
    name: updateIdentityProviderBody.shape.name.unwrap(),
    issuer: createIdentityProviderBody.shape.issuer,
    client_id: createIdentityProviderBody.shape.client_id,
    client_secret: secretReference.nullish(),
    /** Part of the redirect URI. Used only for a new provider. */
    callback_key: createIdentityProviderBody.shape.callback_key,
  }),
  keyFields: ['name'],
  initialFields: ['callback_key'],
  secretFields: ['client_secret'],
  keyOf: (spec) => foldName(text(spec, 'name')),
  titleOf: (spec) => text(spec, 'name'),
  referencesOf: ({ team_map: map }): Reference[] =>
    Object.values(typeof map === 'object' && map !== null ? map : {}).map((name) => ({
      field: 'team_map',
      kind: 'team',
      name: String(name),
    })),
  async read({ tx, tenantId, keyring }) {
    const rows = await selectIdentityProviders(tx, tenantId);
    return Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        spec: {
          ...(await toIdentityProviderSettings(tx, row)),
          client_secret: row.sealedClientSecret === null ? null : 'stored',
          ...(row.callbackKey !== null && { callback_key: row.callbackKey }),
        },
        openSecret: () =>
          row.sealedClientSecret &&
          openSecret(keyring.sealingKey, clientSecretPlace(tenantId, row.id), row.sealedClientSecret),
      })),
    );
  },
  async create({ tx, author, deps }, wanted) {
    const { id } = await createIdentityProvider(deps, tx, author, createIdentityProviderBody.parse(wanted));
    return id;
  },
  async update({ tx, author, deps }, { stored: { id }, changes }) {
    await updateIdentityProvider(deps, tx, author, { id, body: updateIdentityProviderBody.parse(changes) });
  },
  remove: ({ tx, author }, { id }) => deleteIdentityProvider(tx, author, id),
};
