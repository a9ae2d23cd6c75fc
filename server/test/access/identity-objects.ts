import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import { listenHttp } from '../processes/listen-http.ts';
import type { ObjectKind } from './object-kind.ts';
import type { TestTenant, World } from './world.ts';

let started: Promise<string> | undefined;

/** Returns the issuer of a provider that serves only a discovery document and does not keep the process running. */
export function openIdIssuer(): Promise<string> {
  started ??= startDiscovery();
  return started;
}

async function startDiscovery(): Promise<string> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const document = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const { origin } = await listenHttp(server);
  server.unref();
  return origin;
}

export async function addIdentityProvider({ pool }: World, { id, marker }: TestTenant): Promise<string> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO identity_providers (tenant_id, name, issuer, client_id) VALUES ($1, $2, $3, 'sluice') RETURNING id`,
    [id, `${marker}-${randomUUIDv7()}`, await openIdIssuer()],
  );
  return String(rows[0]!.id);
}

const missingId = () => '2147483647';

const identityProvider: ObjectKind = {
  name: 'identity provider',
  make: (world, { tenant }) => addIdentityProvider(world, tenant),
  missingId,
};

/** The identity provider itself calls this route and belongs to no tenant. */
const notifiedProvider: ObjectKind = {
  name: 'notified identity provider',
  make: async (world, { tenant, owner }) =>
    owner === 'other tenant' ? '2147483646' : addIdentityProvider(world, tenant),
  missingId,
};

const domain: ObjectKind = {
  name: 'domain',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      'INSERT INTO domains (tenant_id, name) VALUES ($1, $2) RETURNING id',
      [tenant.id, `${randomUUIDv7()}.${tenant.marker}.test`],
    );
    return String(rows[0]!.id);
  },
  missingId,
};

const userIdentity: ObjectKind = {
  name: 'user identity',
  async make(world, { tenant, userId }) {
    const { rows } = await world.pool.query<{ id: number }>(
      `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, subject, email)
       VALUES ($1, $2, $3, 'https://issuer.test', $4, $5) RETURNING id`,
      [
        tenant.id,
        userId,
        await addIdentityProvider(world, tenant),
        randomUUIDv7(),
        `${tenant.marker}@one.test`,
      ],
    );
    return String(rows[0]!.id);
  },
  missingId,
};

/** Identity provider of the public sign-in routes: visitors may use a provider of any tenant. */
const offeredProvider: ObjectKind = { ...notifiedProvider, name: 'offered identity provider' };

export const kindsOfSignIn: Readonly<Record<string, ObjectKind>> = {
  '/admin/identity-providers/{id}': identityProvider,
  '/auth/backchannel-logout/{id}': notifiedProvider,
  '/auth/oidc/{id}': offeredProvider,
  '/admin/domains/{id}': domain,
  '/admin/user-identities/{id}': userIdentity,
};
