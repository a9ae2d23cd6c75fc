import { apiKeysRoutes, authRoutes, createClient } from '@sluice/contract';

/**
 * Creates a key of the first administrator that replaces the key printed at first start, which expires when another
 * key is used.
 */
export async function makeLastingKey(
  baseUrl: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const { access_token: token } = await createClient(authRoutes, { baseUrl, headers: () => ({}) }).login({
    form: { username: email, password },
  });
  const client = { baseUrl, headers: () => ({ authorization: `Bearer ${token}` }) };
  const { id } = await createClient(authRoutes, client).getCurrentUser();
  const { api_key: apiKey } = await createClient(apiKeysRoutes, client).regenerateUserApiKey({
    params: { id },
  });
  return apiKey;
}
