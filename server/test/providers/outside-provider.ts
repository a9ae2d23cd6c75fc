import { authRoutes, createClient, llmProvidersRoutes, providerRegistryRoutes } from '@sluice/contract';
import type { SluiceProcess } from '../processes/sluice-process.ts';

type Client = Parameters<typeof createClient>[1];

export async function signIn({ origin, admin }: Pick<SluiceProcess, 'origin' | 'admin'>): Promise<Client> {
  const client = { baseUrl: origin, headers: (): Record<string, string> => ({}) };
  const { access_token: token } = await createClient(authRoutes, client).login({
    form: { username: admin.email, password: admin.password },
  });
  client.headers = () => ({ authorization: `Bearer ${token}` });
  return client;
}

/** Runs in a separate process, which signals to the product do not reach. Returns the id of the instance. */
export async function addOutsideProvider(
  sluice: Pick<SluiceProcess, 'origin' | 'admin'>,
  sandboxOrigin: string,
  models: string[],
): Promise<number> {
  const client = await signIn(sluice);
  const registry = await createClient(providerRegistryRoutes, client).listProviderRegistry();
  const { id } = await createClient(llmProvidersRoutes, client).createLlmProvider({
    body: {
      provider_registry_id: registry.find(({ provider_key }) => provider_key === 'custom')?.id ?? 0,
      provider_instance_name: 'outside',
      api_endpoint: `${sandboxOrigin}/v1`,
      api_key: 'sk-outside',
      enabled_models: models,
    },
  });
  return id;
}
