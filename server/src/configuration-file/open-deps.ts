import { createOpenIdClient } from '#openid/openid-client.ts';
import type { Keyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import type { ConfigurationDeps } from './apply.ts';
import { createSecrets } from './secrets.ts';

interface Surroundings {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly canReachPrivateEndpoints: boolean;
  readonly publicUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function withDeps<Result>(
  { canReachPrivateEndpoints, env, keyring, publicUrl }: Surroundings,
  work: (deps: ConfigurationDeps) => Promise<Result>,
): Promise<Result> {
  const policy = { allowPrivate: canReachPrivateEndpoints };
  const upstream = createUpstreamClient({ policy });
  try {
    return await work({
      keyring,
      passwords: createPasswordHasher(),
      checkEndpointUrl: (url) => checkEndpointUrl(url, policy),
      publicUrl,
      secrets: createSecrets(env),
      openid: createOpenIdClient({ upstream }),
      canReachPrivateEndpoints,
    });
  } finally {
    await upstream.close();
  }
}
