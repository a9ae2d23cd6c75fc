import {
  apiKeysRoutes,
  authRoutes,
  createClient,
  creditsRoutes,
  llmProvidersRoutes,
  providerRegistryRoutes,
  rolesRoutes,
  usersRoutes,
} from '@sluice/contract';
import type { SluiceProcess } from '../processes/sluice-process.ts';

/**
 * Price in dollars per million tokens. The values are integers, so that the cost of a request is exact in
 * nano-dollars.
 */
export const price = { input: 3, output: 15 };

/** Returns the cost of a request in nano-dollars at `price` with the default markup. */
export function costAtPrice(promptTokens: number, completionTokens: number): bigint {
  return BigInt(promptTokens * price.input + completionTokens * price.output) * 1_200n;
}

export interface PaidInstance {
  name: string;
  providerKey: string;
  endpoint: string;
  models: string[];
  /** Whether requests are paid with credits; defaults to true. */
  isServiceManaged?: boolean;
}

/** Limits of a user; `null` means unlimited. */
export interface Quotas {
  requests_per_hour?: number | null;
  daily_quota?: number | null;
  monthly_quota?: number | null;
}

/** Super administrator's client for a running installation whose requests are paid with credits. */
export interface PaidService {
  addInstance(instance: PaidInstance): Promise<void>;
  /** Adds an administrator of the tenant. Limits apply to administrators as well. */
  addUser(name: string, quotas: Quotas): Promise<{ id: number; apiKey: string }>;
  setQuotas(userId: number, quotas: Quotas): Promise<void>;
  recharge(dollars: number): Promise<void>;
}

export async function openPaidService({ origin, admin }: SluiceProcess): Promise<PaidService> {
  const options = { baseUrl: origin, headers: (): Record<string, string> => ({}) };
  const { access_token: token } = await createClient(authRoutes, options).login({
    form: { username: admin.email, password: admin.password },
  });
  options.headers = () => ({ authorization: `Bearer ${token}` });
  const credits = createClient(creditsRoutes, options);
  const users = createClient(usersRoutes, options);
  const roles = await createClient(rolesRoutes, options).listRoles();
  const registry = await createClient(providerRegistryRoutes, options).listProviderRegistry();
  return {
    async addInstance({ name, providerKey, endpoint, models, isServiceManaged = true }) {
      for (const model of models) await credits.setPrice({ body: { provider: providerKey, model, price } });
      await createClient(llmProvidersRoutes, options).createLlmProvider({
        body: {
          provider_registry_id: registry.find(({ provider_key }) => provider_key === providerKey)?.id ?? 0,
          provider_instance_name: name,
          api_endpoint: endpoint,
          api_key: 'sk-outside',
          enabled_models: models,
          is_service_managed: isServiceManaged,
        },
      });
    },
    async addUser(name, quotas) {
      const { id } = await users.createUser({
        body: {
          name,
          email: `${name}@example.com`,
          password: 'paid-service-password',
          role_id: roles.find((role) => role.name === 'admin')?.id ?? 0,
          ...quotas,
        },
      });
      const created = await createClient(apiKeysRoutes, options).createUserApiKey({ params: { id } });
      return { id, apiKey: created.api_key };
    },
    async setQuotas(id, quotas) {
      await users.updateUser({ params: { id }, body: quotas });
    },
    async recharge(amount) {
      await credits.rechargeCredits({ body: { amount, description: 'for the proof' } });
    },
  };
}
